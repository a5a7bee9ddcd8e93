int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = 65536 * argc;
    x = x * x; //~ ERROR signed-overflow
    return x == 1;
#else
    long x = 65536 * argc;
    x = x * x;
    return x == 1;
#endif
}
