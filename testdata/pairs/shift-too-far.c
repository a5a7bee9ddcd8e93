int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int n = 31 + argc;
    return (argc << n) == 3; //~ ERROR bad-shift
#else
    int n = 29 + argc;
    return (argc << n) == 3;
#endif
}
