int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[4];
    for (int i = 0; i < 3; i++)
        a[i] = 0;
    return a[2 + argc] > 3; //~ ERROR uninitialised-read
#else
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = 0;
    return a[2 + argc] > 3;
#endif
}
