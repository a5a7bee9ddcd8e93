int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[4] = {0};
    int *p = a + 3 + argc;
    return *p; //~ ERROR out-of-bounds
#else
    int a[4] = {0};
    int *p = a + 3 + argc;
    return *(p - 1);
#endif
}
