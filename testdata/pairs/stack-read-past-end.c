int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[4] = {0};
    return a[3 + argc]; //~ ERROR out-of-bounds
#else
    int a[4] = {0};
    return a[2 + argc];
#endif
}
