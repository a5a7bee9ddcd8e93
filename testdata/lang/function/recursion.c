// Direct recursion: factorial, Fibonacci, Ackermann, Hanoi, gcd and binary printing.
#include <stdio.h>

static unsigned long fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

static int hanoi(int n, char a, char b, char c) {
    if (n == 0)
        return 0;
    int moves = hanoi(n - 1, a, c, b);
    if (n == 3)
        printf("%c->%c ", a, c);
    return moves + 1 + hanoi(n - 1, b, a, c);
}

static void binary(unsigned n) {
    if (n > 1)
        binary(n / 2);
    putchar('0' + n % 2);
}

static int depth(int n) {
    int local[16];
    local[n % 16] = n;
    return n == 0 ? 0 : depth(n - 1) + (local[n % 16] == n);
}

int main(void) {
    printf("%lu %d %d %d\n", fact(15), fib(18), ack(2, 3), gcd(1071, 462));
    printf("%d\n", hanoi(5, 'A', 'B', 'C'));
    binary(1000);
    printf("\n%d\n", depth(500));
    return fib(10);
}
