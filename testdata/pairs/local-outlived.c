static int *local(int n)
{
#ifdef TWIN
    static int x;
#else
    int x;
    int *volatile q = &x;
    x = n - 1;
    return q;
#endif
    x = n - 1;
    return &x;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = local(argc);
    return *p; //~ ERROR use-after-scope
#else
    int *p = local(argc);
    return *p;
#endif
}
