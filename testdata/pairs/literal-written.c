int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char *s = "abc";
    s[argc] = 'x'; //~ ERROR write-to-constant
    return 0;
#else
    char s[] = "abc";
    s[argc] = 'x';
    return 0;
#endif
}
