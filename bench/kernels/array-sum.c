// Kernel: repeated passes of reading and writing over an int array.
#include <stdio.h>
#include <stdlib.h>

#define LENGTH 4096
static unsigned data[LENGTH];

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 45000;
    for (int i = 0; i < LENGTH; i++)
        data[i] = (unsigned)i * 2654435761u;
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < LENGTH; i++) {
            sum += data[i];
            data[i] = sum;
        }
    printf("%u\n", sum);
    return 0;
}
