// Pointers to different objects may be compared for equality, only not ordered.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int a = 1, b = 2;
    int *p = &a, *q = &b, *heap = malloc(sizeof *heap);
    printf("%d %d %d\n", p == q, p != q, heap == p);
    q = p;
    printf("%d\n", p == q);
    printf("%d\n", (void *)heap != NULL);
    free(heap);
    return *q + b;
}
