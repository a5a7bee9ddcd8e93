int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p, x = 0;
    if (argc > 1)
        p = &x;
    return *p; //~ ERROR uninitialised-read
#else
    int *p, x = 0;
    if (argc > 0)
        p = &x;
    return *p;
#endif
}
