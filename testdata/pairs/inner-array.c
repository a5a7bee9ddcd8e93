int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[2][3] = {{0}};
    return a[0][2 + argc]; //~ ERROR out-of-bounds
#else
    int a[2][3] = {{0}};
    return a[0][1 + argc];
#endif
}
