int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = 2147483647;
    x = x + argc; //~ ERROR signed-overflow
    return x == 0;
#else
    unsigned x = 2147483647;
    x = x + argc;
    return x == 0;
#endif
}
