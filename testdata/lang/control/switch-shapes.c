// switch into blocks, ranges of cases, wide cases, goto back into scope.
#include <stdio.h>
#include <stdlib.h>
static int f(int n) {
    switch (n) { int x; case 1: x = 5; return x; default: x = 6; { case 3: x = 7; } return x; case 5: ; } return -1;
}
static int g(unsigned char c) { switch (c) { case 'a' ... 'f': return 1; case 0x80 ... 0xff: return 2; } return 0; }
static int loop(int n) {
    int r = 0;
    for (int i = 0; i < n; i++) { switch (i % 3) { case 0: continue; case 1: break; default: r += 10; } r++; } return r;
}
static long h(long v) { switch (v) { case 0x100000000L: return 1; case -1: return 2; } return 3; }
static int blocks(int k) { int s = 0; { again: ; int v = k; s += v; if (--k > 0) goto again; } return s; }
int main(void) {
    printf("%d %d %d %d %d\n", f(1), f(2), f(3), f(5), g('c') + g(200) * 10 + g('z'));
    printf("%d %ld %ld %d\n", loop(10), h(0x100000000L), h(0), blocks(4));
    unsigned u = 0;
    while (u-- > 0) ;
    printf("%u\n", u);
    int i = 0;
    do i++;
    while (i < 5 && i != 3);
    printf("%d\n", i);
    for (i = 0; i < 10; ++i) if (i == 4) break;
    else continue;
    printf("%d\n", i);
    return 0;
}
