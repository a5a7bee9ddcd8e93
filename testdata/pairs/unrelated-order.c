int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a, b, *p = &a, *q = argc > 0 ? &b : &a;
    return p < q && q < p; //~ ERROR invalid-pointer
#else
    int a, b, *p = &a, *q = argc > 0 ? &b : &a;
    return p == q;
#endif
}
