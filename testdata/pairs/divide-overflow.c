int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = -2147483647 - argc, y = -argc;
    x = x / y; //~ ERROR signed-overflow
    return x == 1;
#else
    int x = -2147483647, y = -argc;
    x = x / y;
    return x == 1;
#endif
}
