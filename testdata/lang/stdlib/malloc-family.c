// malloc, calloc, realloc (grow, shrink, from NULL) and free, with contents preserved.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *a = malloc(4 * sizeof *a);
    for (int i = 0; i < 4; i++)
        a[i] = i + 1;
    a = realloc(a, 8 * sizeof *a);
    for (int i = 4; i < 8; i++)
        a[i] = a[i - 4] * 10;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += a[i];
    a = realloc(a, 2 * sizeof *a);
    printf("%d %d %d\n", sum, a[0], a[1]);
    free(a);
    long *z = calloc(10, sizeof *z);
    long any = 0;
    for (int i = 0; i < 10; i++)
        any |= z[i];
    printf("%ld\n", any);
    free(z);
    char *s = realloc(NULL, 6);
    strcpy(s, "hello");
    s = realloc(s, 100);
    strcat(s, " world");
    printf("%s\n", s);
    free(s);
    free(NULL);
    void *blocks[20];
    for (int i = 0; i < 20; i++) {
        blocks[i] = malloc((size_t)i * 7 + 1);
        memset(blocks[i], i, (size_t)i * 7 + 1);
    }
    int check = 0;
    for (int i = 19; i >= 0; i -= 2) {
        check += ((unsigned char *)blocks[i])[i * 7];
        free(blocks[i]);
    }
    for (int i = 0; i < 20; i += 2)
        free(blocks[i]);
    printf("%d\n", check);
    return check;
}
