// Calling through a null function pointer.
#include <stdio.h>

static int twice(int x) { return x * 2; }

int main(void) {
    int (*table[2])(int) = {twice};
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += table[i](i + 1); //~ ERROR null-dereference
    printf("%d\n", sum);
    return 0;
}
