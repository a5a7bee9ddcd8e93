static int table[4];

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int i = -argc;
    return table[i]; //~ ERROR out-of-bounds
#else
    int i = argc;
    return table[i];
#endif
}
