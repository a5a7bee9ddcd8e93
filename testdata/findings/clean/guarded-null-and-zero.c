// Short circuit and ?: keep the dangerous operand from being evaluated.
#include <stdio.h>

static int safe(const int *p, int d) { return p && d && *p / d > 2; }

int main(void) {
    int x = 9;
    printf("%d %d %d\n", safe(&x, 3), safe(NULL, 3), safe(&x, 0));
    int zero = 0;
    printf("%d\n", zero ? 10 / zero : -1);
    int *p = NULL;
    if (!p || *p == 0)
        printf("nothing\n");
    return safe(&x, 2) + 3;
}
