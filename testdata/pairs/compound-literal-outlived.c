int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p;
    {
        p = (int[]){argc - 1};
    }
    return *p; //~ ERROR use-after-scope
#else
    int *p;
    p = (int[]){argc - 1};
    return *p;
#endif
}
