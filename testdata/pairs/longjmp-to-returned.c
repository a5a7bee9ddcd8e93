#include <setjmp.h>

static jmp_buf buffer;
static int save(int n)
{
    return setjmp(buffer) == n;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    save(argc);
    longjmp(buffer, argc); //~ ERROR use-after-scope
    return 0;
#else
    if (setjmp(buffer) == 0)
        longjmp(buffer, argc);
    return 0;
#endif
}
