int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    long x = -9223372036854775807L - argc, y = -argc;
    x = x % y; //~ ERROR signed-overflow
    return x == 1;
#else
    long x = -9223372036854775807L, y = -argc;
    x = x % y;
    return x == 1;
#endif
}
