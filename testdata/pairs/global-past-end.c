static int table[4];

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    return table[3 + argc]; //~ ERROR out-of-bounds
#else
    return table[2 + argc];
#endif
}
