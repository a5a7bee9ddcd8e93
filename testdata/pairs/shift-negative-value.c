int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = -argc;
    return (x << 2) == 3; //~ ERROR bad-shift
#else
    unsigned x = -argc;
    return (x << 2) == 3;
#endif
}
