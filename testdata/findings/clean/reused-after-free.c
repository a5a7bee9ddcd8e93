// A new block may sit where a freed one was; only the old pointer is dead.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 50; i++) {
        int *p = malloc(sizeof *p);
        *p = i;
        sum += *p;
        free(p);
    }
    int *p = malloc(64);
    p = realloc(p, 16);
    p[3] = 1;
    sum += p[3];
    free(p);
    printf("%d\n", sum);
    return sum % 100;
}
