// Sieve of Eratosthenes with bytes and with bits, prime factorisation and totients.
#include <stdio.h>
#include <string.h>

#define LIMIT 2000
static unsigned char composite[LIMIT + 1];
static unsigned bits[LIMIT / 32 + 1];

static int totient(int n) {
    int r = n;
    for (int p = 2; p * p <= n; p++)
        if (n % p == 0) {
            while (n % p == 0)
                n /= p;
            r -= r / p;
        }
    return n > 1 ? r - r / n : r;
}

int main(void) {
    int count = 0, last = 0;
    for (int i = 2; i <= LIMIT; i++) {
        if (composite[i])
            continue;
        count++;
        last = i;
        for (int j = i * i; j <= LIMIT; j += i) {
            composite[j] = 1;
            bits[j >> 5] |= 1u << (j & 31);
        }
    }
    int differ = 0;
    for (int i = 2; i <= LIMIT; i++)
        differ += composite[i] != (bits[i >> 5] >> (i & 31) & 1);
    printf("%d %d %d\n", count, last, differ);
    int n = 1980;
    printf("%d =", n);
    for (int p = 2; n > 1; p++)
        while (n % p == 0) {
            printf(" %d", p);
            n /= p;
        }
    printf("\n");
    for (int i = 1; i <= 20; i++)
        printf("%d ", totient(i));
    printf("\n");
    return count % 126;
}
