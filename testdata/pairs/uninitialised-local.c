int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x;
    if (argc > 1)
        x = 1;
    if (x > 3) //~ ERROR uninitialised-read
        return 1;
    return 0;
#else
    int x = 0;
    if (argc > 1)
        x = 1;
    if (x > 3)
        return 1;
    return 0;
#endif
}
