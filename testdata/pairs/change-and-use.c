int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int a[4] = {0}, i = argc;
    a[i] = i++; //~ ERROR unsequenced
    return a[3];
#else
    int a[4] = {0}, i = argc;
    a[i] = i;
    i++;
    return a[3];
#endif
}
