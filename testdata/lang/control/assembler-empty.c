// Assembler without instructions: barriers, values that pass through, operands in memory.
#include <stdio.h>

static int hide(int x) {
    __asm__("" : "+r"(x));
    return x;
}

static long through(long x) {
    long y;
    __asm__ volatile("" : "=r"(y) : "0"(x) : "memory");
    return y;
}

static int *next(int **cursor) {
    return (*cursor)++;
}

int main(void) {
    int numbers[3] = {1, 2, 3}, *cursor = numbers;
    __asm__ volatile("" ::: "memory");
    __asm__("nop");
    __asm__ volatile("" : "+m"(numbers[1]) : "r"(next(&cursor)));
    long named;
    __asm__("" : [out] "=r"(named) : "[out]"(40L + 2));
    printf("%d %ld %td %ld\n", hide(5), through(-7), cursor - numbers, named);
    return 0;
}
