/* Counts the primes up to a bound given on the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sieve(unsigned char *composite, int bound) {
    int count = 0;
    for (int i = 2; i <= bound; i++) {
        if (composite[i]) continue;
        count++;
        for (long j = (long)i * i; j <= bound; j += i) composite[j] = 1;
    }
    return count;
}

int main(int argc, char **argv) {
    int bound = argc > 1 ? atoi(argv[1]) : 100;
    if (bound < 2 || bound > 10000000) {
        fprintf(stderr, "usage: primes BOUND\n");
        return 2;
    }
    unsigned char *composite = calloc((size_t)bound + 1, 1);
    if (!composite) return 3;
    printf("%d primes up to %d\n", sieve(composite, bound), bound);
    free(composite);
    return 0;
}
