// Kernel: three nested loops with signed arithmetic; the count is the side of the cube.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 500;
    long total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                total += (i ^ j) + k % 3;
    printf("%ld\n", total);
    return 0;
}
