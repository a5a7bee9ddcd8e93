int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    double x = -5.0 * argc;
    return (unsigned)x == 3; //~ ERROR bad-conversion
#else
    double x = -0.5 * argc;
    return (unsigned)x == 3;
#endif
}
