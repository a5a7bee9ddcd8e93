int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[4] = {0};
    int *p = a + 4 + argc; //~ ERROR out-of-bounds
    return p == 0;
#else
    int a[4] = {0};
    int *p = a + 3 + argc;
    return p == 0;
#endif
}
