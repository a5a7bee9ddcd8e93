static int sum(const int *p, int n)
{
    return *p + n; //~ ERROR uninitialised-read
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x;
    return sum(&x, argc);
#else
    int x = 0;
    return sum(&x, argc) > 3;
#endif
}
