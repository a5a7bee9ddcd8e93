int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    double x = 1e10 * argc;
    return (int)x == 3; //~ ERROR bad-conversion
#else
    double x = 1e9 * argc;
    return (int)x == 3;
#endif
}
