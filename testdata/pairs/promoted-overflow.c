int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    unsigned short x = 65535;
    unsigned y = x * x; //~ ERROR signed-overflow
    return y == 1;
#else
    unsigned short x = 65535;
    unsigned y = (unsigned)x * x;
    return y == 0;
#endif
}
