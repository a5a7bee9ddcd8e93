int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int i = argc;
    i = i++ + 1; //~ ERROR unsequenced
    return i == 77;
#else
    int i = argc;
    i = i + 1;
    return i == 77;
#endif
}
