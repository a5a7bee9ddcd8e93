int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int n = argc + 2;
    int a[n];
    a[n] = 1; //~ ERROR out-of-bounds
    return 0;
#else
    int n = argc + 2;
    int a[n];
    a[n - 1] = 1;
    return 0;
#endif
}
