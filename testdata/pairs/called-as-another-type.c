static int take(double x)
{
    return x > 1;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int (*f)(void) = (int (*)(void))take;
    return f() == 77; //~ ERROR bad-call
#else
    int (*f)(void) = (int (*)(void))take;
    return ((int (*)(double))f)(1.0) == 77;
#endif
}
