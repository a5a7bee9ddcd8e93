int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[2], b[2], *p = a, *q = argc > 0 ? b : a;
    return p - q == 1; //~ ERROR invalid-pointer
#else
    int a[2], b[2], *p = a, *q = argc > 0 ? a : b;
    return p - q == 1;
#endif
}
