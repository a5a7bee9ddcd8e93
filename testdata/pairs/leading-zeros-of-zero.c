int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    unsigned x = argc - 1;
    return __builtin_clz(x) == 77; //~ ERROR bad-argument
#else
    unsigned x = argc;
    return __builtin_clz(x) == 77;
#endif
}
