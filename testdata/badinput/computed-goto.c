// Labels as values and computed goto are a GNU extension outside the supported language.
#include <stdio.h>

int main(void) {
    static void *const table[] = {&&increment, &&twice, &&stop};
    static const int program[] = {0, 1, 1, 0, 2};
    int acc = 3, pc = 0;
    goto *table[program[pc++]];
increment:
    acc++;
    goto *table[program[pc++]];
twice:
    acc *= 2;
    goto *table[program[pc++]];
stop:
    printf("%d\n", acc);
    return 0;
}
