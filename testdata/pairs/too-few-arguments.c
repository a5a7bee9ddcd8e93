int twice();
int twice(a, b)
int a, b;
{
    return a + b;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    return twice(argc) == 77; //~ ERROR bad-call
#else
    return twice(argc, argc) == 77;
#endif
}
