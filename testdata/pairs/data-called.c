int zero(void)
{
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = argc;
    int (*f)(void) = (int (*)(void))(long)&x;
    return f(); //~ ERROR bad-call
#else
    int (*f)(void) = (int (*)(void))(long)zero;
    return f();
#endif
}
