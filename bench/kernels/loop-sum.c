// Kernel: one hot loop of integer arithmetic with a data-dependent branch.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 45000000u;
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += i ^ (sum >> 3);
        if (sum & 1)
            sum += 7;
    }
    printf("%u\n", sum);
    return 0;
}
