int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    _Alignas(8) char a[16] = {0};
    int *p = (int *)(a + argc);
    return *p; //~ ERROR misaligned-access
#else
    _Alignas(8) char a[16] = {0};
    int *p = (int *)(a + 4 * argc);
    return *p;
#endif
}
