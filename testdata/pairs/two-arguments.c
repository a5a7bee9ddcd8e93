static int add(int a, int b)
{
    return a + b;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int i = argc;
    return add(i++, i++) == 77; //~ ERROR unsequenced
#else
    int i = argc, j = i++;
    int k = i++;
    return add(j, k) == 77;
#endif
}
