// Static local variables: persistence, separate copies per function, recursion, and arrays.
#include <stdio.h>

static int counter(void) {
    static int n;
    return ++n;
}
static int other(void) {
    static int n = 100;
    return n -= 7;
}
static const char *number(int v) {
    static char slots[3][12];
    static int at;
    char *s = slots[at++ % 3];
    sprintf(s, "<%d>", v);
    return s;
}
static int memo_fib(int n) {
    static int memo[40];
    static int misses;
    if (n < 0)
        return misses;
    if (n < 2)
        return n;
    if (!memo[n]) {
        misses++;
        memo[n] = memo_fib(n - 1) + memo_fib(n - 2);
    }
    return memo[n];
}
static int nested(int n) {
    if (n) {
        static int x = 1;
        x *= 2;
        int mine = x;
        return mine + nested(n - 1);
    }
    static int x = 5;
    return x++;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        printf("%d %d\n", counter(), other());
    const char *a = number(1), *b = number(2), *c = number(3);
    printf("%s%s%s\n", a, b, c);
    int f30 = memo_fib(30);
    printf("%d %d\n", f30, memo_fib(-1));
    printf("%d\n", nested(3));
    printf("%d\n", nested(1));
    return counter() + memo_fib(-1);
}
