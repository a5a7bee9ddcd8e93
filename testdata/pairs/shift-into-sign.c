int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int n = 30 + argc;
    return (1 << n) == 3; //~ ERROR bad-shift
#else
    int n = 30 + argc;
    return (1u << n) == 3;
#endif
}
