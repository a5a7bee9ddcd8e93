// Loop variables of every type, loops with float steps, and pointers as loop conditions.
#include <stdio.h>

struct node { int v; const struct node *next; };

int main(void) {
    int n = 0;
    for (unsigned char c = 250; c >= 250; c++)
        n++;
    for (signed char c = 5; c > -5; c--)
        n++;
    for (long l = 1; l < 1000000000000; l *= 100)
        n++;
    for (double d = 0.5; d < 100; d *= 2)
        n++;
    for (const char *s = "loop"; *s; s++)
        n++;
    const struct node c = {3, NULL}, b = {2, &c}, a = {1, &b};
    for (const struct node *p = &a; p; p = p->next)
        n += p->v;
    volatile int limit = 3;
    for (int i = 0; i < limit; i++)
        n++;
    int x = 100;
    while (x /= 3)
        n++;
    do {
        n++;
    } while (n % 10);
    for (int i = 0, j = 5; i < j; i++, j--)
        n += j - i;
    printf("%d\n", n);
    return n;
}
