int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int n = -argc;
    int a[n]; //~ ERROR out-of-bounds
    (void)a;
    return 0;
#else
    int n = argc;
    int a[n];
    (void)a;
    return 0;
#endif
}
