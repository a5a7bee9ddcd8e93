int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p;
    {
        int x = argc - 1;
        p = &x;
    }
    return *p; //~ ERROR use-after-scope
#else
    int *p;
    int x = argc - 1;
    {
        p = &x;
    }
    return *p;
#endif
}
