int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[4] = {0};
    a[3 + argc] = 1; //~ ERROR out-of-bounds
    return a[0];
#else
    int a[4] = {0};
    a[2 + argc] = 1;
    return a[0];
#endif
}
