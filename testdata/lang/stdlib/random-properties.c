// rand and srand used only through properties that hold for every generator.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    srand(7);
    int first[50];
    for (int i = 0; i < 50; i++)
        first[i] = rand();
    srand(7);
    int same = 1, range = 1;
    for (int i = 0; i < 50; i++) {
        int r = rand();
        same &= r == first[i];
        range &= r >= 0 && r <= RAND_MAX;
    }
    printf("%d %d\n", same, range);
    int deck[20];
    for (int i = 0; i < 20; i++)
        deck[i] = i;
    for (int i = 19; i > 0; i--) {
        int j = rand() % (i + 1), t = deck[i];
        deck[i] = deck[j];
        deck[j] = t;
    }
    int sum = 0, mask = 0;
    for (int i = 0; i < 20; i++) {
        sum += deck[i];
        mask |= 1 << deck[i];
    }
    printf("%d %x\n", sum, mask);
    printf("%d\n", RAND_MAX >= 32767);
    return same + range * 2 + (sum == 190) * 4;
}
