// GNU statement expressions: value, scope, loops and early returns inside them.
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define CLAMP(x, lo, hi) ({ int x_ = (x); MAX(lo, x_ > (hi) ? (hi) : x_); })

static int first_even(const int *p, int n) {
    return ({
        int i;
        for (i = 0; i < n; i++)
            if (p[i] % 2 == 0)
                return p[i];
        -1;
    });
}

int main(void) {
    int i = 3, j = 4;
    printf("%d\n", MAX(i++, j++));
    printf("%d %d\n", i, j);
    printf("%d %d %d\n", CLAMP(-5, 0, 9), CLAMP(5, 0, 9), CLAMP(50, 0, 9));
    int sum = ({
        int s = 0;
        for (int k = 1; k <= 10; k++)
            s += k;
        s;
    });
    printf("%d\n", sum);
    int odd[] = {1, 3, 5}, mixed[] = {7, 8, 9};
    printf("%d %d\n", first_even(odd, 3), first_even(mixed, 3));
    int nested = ({ int a = ({ int b = 5; b * 2; }); a + 1; });
    printf("%d\n", nested);
    printf("%g\n", MAX(2.5, 1.0f));
    struct p { int x, y; };
    struct p q = ({ struct p t = {1, 2}; t.x += 10; t; });
    printf("%d %d\n", q.x, q.y);
    if (({ int t = sum; t -= 55; t; }))
        return 1;
    return nested;
}
