static double half(int n)
{
    return n / 2.0;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    long (*f)(int) = (long (*)(int))half;
    return f(argc) == 77; //~ ERROR bad-call
#else
    double (*f)(int) = half;
    return f(argc) == 77;
#endif
}
