int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct { unsigned a : 3, b : 5; } s;
    s.a = argc;
    return s.b > 3; //~ ERROR uninitialised-read
#else
    struct { unsigned a : 3, b : 5; } s;
    s.a = argc;
    return s.a > 3;
#endif
}
