// Labels as loop names: emulating labelled break and continue across three loops.
#include <stdio.h>

int main(void) {
    int found = 0, tries = 0;
    for (int a = 1; a < 40; a++) {
        for (int b = a; b < 40; b++) {
            for (int c = b; c < 60; c++) {
                tries++;
                int lhs = a * a + b * b, rhs = c * c;
                if (lhs < rhs)
                    goto next_b;
                if (lhs == rhs) {
                    printf("%d %d %d\n", a, b, c);
                    if (++found == 8)
                        goto done;
                    goto next_a;
                }
            }
        next_b:;
        }
    next_a:
        continue;
    }
done:
    printf("%d %d\n", found, tries);
    return tries % 100;
}
