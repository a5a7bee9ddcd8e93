// A local array that is larger than the stack.
#include <stdio.h>

#ifdef TWIN
#define SIZE 1000
#else
#define SIZE (64 << 20)
#endif

static int fill(int value) {
    volatile char room[SIZE];
    for (int i = 0; i < SIZE; i += SIZE / 8)
        room[i] = (char)value;
    return room[0];
}

int main(void) {
    printf("%d\n", fill(3)); //~ ERROR stack-exhausted
    return 0;
}
