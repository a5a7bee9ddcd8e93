int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int n = -argc;
    return (8 >> n) == 3; //~ ERROR bad-shift
#else
    int n = argc;
    return (8 >> n) == 3;
#endif
}
