int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = 2147483646 + argc;
    x++; //~ ERROR signed-overflow
    return x == 1;
#else
    int x = 2147483645 + argc;
    x++;
    return x == 1;
#endif
}
