int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    if (argc > 0)
        __builtin_unreachable(); //~ ERROR bad-argument
    return 0;
#else
    if (argc > 5)
        __builtin_unreachable();
    return 0;
#endif
}
