// Kernel: sieve of Eratosthenes on bytes, repeated.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 100000
static unsigned char composite[LIMIT + 1];

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 500;
    long total = 0;
    for (int r = 0; r < rounds; r++) {
        memset(composite, 0, sizeof composite);
        for (int i = 2; i <= LIMIT; i++) {
            if (composite[i])
                continue;
            total += i;
            for (long j = (long)i * i; j <= LIMIT; j += i)
                composite[j] = 1;
        }
    }
    printf("%ld\n", total);
    return 0;
}
