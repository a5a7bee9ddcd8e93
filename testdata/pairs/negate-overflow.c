int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = -2147483647 - argc;
    x = -x; //~ ERROR signed-overflow
    return x == 1;
#else
    int x = -2147483647;
    x = -x;
    return x == 1;
#endif
}
