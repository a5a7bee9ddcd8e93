// && and || evaluate their right side only when needed; side effects are counted.
#include <stdio.h>

static int calls;
static int yes(int id) {
    calls++;
    printf("yes%d ", id);
    return id;
}
static int no(int id) {
    calls++;
    printf("no%d ", id);
    return 0;
}

int main(void) {
    int r;
    r = yes(1) && no(2) && yes(3);
    printf("= %d\n", r);
    r = no(1) || yes(2) || yes(3);
    printf("= %d\n", r);
    r = (no(1) && yes(2)) || yes(3);
    printf("= %d\n", r);
    r = !(yes(1) || no(2));
    r += no(3) || no(4);
    printf("= %d\n", r);
    int *p = NULL;
    if (p && *p > 3)
        printf("impossible\n");
    int i = 0;
    if (i++ == 0 && i++ == 1 && i++ == 3 && i++)
        printf("impossible\n");
    printf("%d\n", i);
    double d = 0.0;
    printf("%d %d\n", d || 0.1, p || d);
    while (i && yes(i) && --i)
        ;
    printf("%d\n", calls);
    return calls;
}
