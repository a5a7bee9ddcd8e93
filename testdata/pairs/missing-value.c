static int sign(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    return sign(0) == 77; //~ ERROR missing-return-value-used
#else
    return sign(1) == 77 + argc;
#endif
}
