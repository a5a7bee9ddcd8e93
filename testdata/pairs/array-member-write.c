int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct s { char a[4]; char b[4]; } s = {{0}, {0}};
    s.a[3 + argc] = 1; //~ ERROR out-of-bounds
    return 0;
#else
    struct s { char a[4]; char b[4]; } s = {{0}, {0}};
    s.a[2 + argc] = 1;
    return 0;
#endif
}
