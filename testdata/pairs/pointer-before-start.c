int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[4] = {0};
    int *p = a - argc; //~ ERROR out-of-bounds
    return p == 0;
#else
    int a[4] = {0};
    int *p = a + argc;
    return p == 0;
#endif
}
