// Reaching the end of main returns zero; empty statements and empty blocks are fine.
#include <stdio.h>

static void nothing(void) {}
static void early(int x) {
    if (x)
        return;
    printf("not early\n");
}

int main() {
    ;
    ;
    {
    }
    if (1)
        ;
    else
        printf("no\n");
    nothing();
    early(1);
    early(0);
    for (;;) {
        break;
    }
    (void)0;
    4 + 5;
    printf("end\n");
}
