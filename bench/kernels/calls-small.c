// Kernel: small leaf functions called directly and through a pointer in a loop.
#include <stdio.h>
#include <stdlib.h>

static unsigned mix(unsigned a, unsigned b) { return a * 31u + b; }
static unsigned turn(unsigned a, unsigned b) { return (a << 5 | a >> 27) ^ b; }

int main(int argc, char **argv) {
    unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 40000000u;
    unsigned (*step[2])(unsigned, unsigned) = {mix, turn};
    unsigned v = 1;
    for (unsigned i = 0; i < n; i++) {
        v = mix(v, i);
        v = step[i & 1](v, i);
    }
    printf("%u\n", v);
    return 0;
}
