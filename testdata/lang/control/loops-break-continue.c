// while, do-while and for loops with break and continue at several depths.
#include <stdio.h>

int main(void) {
    int i, total = 0;
    for (i = 0; i < 20; i++) {
        if (i % 3 == 0)
            continue;
        if (i > 14)
            break;
        total += i;
    }
    printf("%d %d\n", i, total);

    int n = 0;
    do {
        n++;
        if (n == 3)
            continue;
        if (n == 6)
            break;
        printf("%d ", n);
    } while (n < 10);
    printf("\n");

    while (1) {
        int inner = 0;
        for (;;) {
            if (++inner > 3)
                break;
            if (inner == 2)
                continue;
            printf("%d.%d ", n, inner);
        }
        if (--n < 4)
            break;
    }
    printf("\n");

    for (int a = 0, b = 10; a < b; a++, b -= 2)
        printf("(%d,%d)", a, b);
    printf("\n");

    int once = 0;
    do
        once++;
    while (0);
    for (; once < 4; once++)
        ;
    for (int k = 0; k < 3; k++) {
        switch (k) {
        case 1: continue;
        case 2: break;
        }
        printf("after switch %d\n", k);
    }
    return total + once;
}
