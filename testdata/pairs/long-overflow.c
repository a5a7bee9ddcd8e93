int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    long x = 9223372036854775807L;
    x += argc; //~ ERROR signed-overflow
    return x == 1;
#else
    long x = 9223372036854775806L;
    x += argc;
    return x == 1;
#endif
}
