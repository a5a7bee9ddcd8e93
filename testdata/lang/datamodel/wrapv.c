// Signed arithmetic that wraps around.
//~ cflags: -fwrapv
#include <stdio.h>
#include <limits.h>
int id(int x) { return x; }
int main(void) {
    int a = id(INT_MAX);
    int b = a + 1;
    a++;
    long l = LONG_MIN;
    l--;
    int m = id(INT_MAX) * id(3);
    int n = -id(INT_MIN);
    int k = INT_MIN;
    k -= 1;
    short s = 32767;
    s += 1;
    const int z = INT_MAX + 1;
    printf("%d %d %ld %d %d %d %d %d %d\n", a, b, l, m, n, k, s, z, id(INT_MAX) + 1 < id(INT_MAX));
    return 0;
}
