int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    const char *s = "abc";
    return s[3 + argc]; //~ ERROR out-of-bounds
#else
    const char *s = "abc";
    return s[2 + argc];
#endif
}
