static const int fixed = 3;
static int loose = 3;

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    *(int *)&fixed = argc; //~ ERROR write-to-constant
    return fixed == 9;
#else
    *(int *)&loose = argc;
    return loose == 9;
#endif
}
