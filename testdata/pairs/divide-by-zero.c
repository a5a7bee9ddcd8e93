int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int y = argc - 1;
    return 10 / y; //~ ERROR division-by-zero
#else
    int y = argc;
    return 10 / y == 0;
#endif
}
