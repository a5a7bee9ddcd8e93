int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct { int a, b; } s;
    s.a = argc;
    return s.b > 3; //~ ERROR uninitialised-read
#else
    struct { int a, b; } s;
    s.a = argc;
    return s.a > 3;
#endif
}
