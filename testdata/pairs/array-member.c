int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct s { int a[2]; int b; } s = {{0, 0}, 0};
    return s.a[1 + argc]; //~ ERROR out-of-bounds
#else
    struct s { int a[2]; int b; } s = {{0, 0}, 0};
    return s.a[argc];
#endif
}
