// Compound literals: arrays, structs, scalars; as arguments, with addresses taken, at file scope.
#include <stdio.h>

struct point { int x, y; };

static int *numbers = (int[]){4, 5, 6, 7};
static const struct point *origin = &(struct point){.y = -1};

static int dot(struct point a, struct point b) { return a.x * b.x + a.y * b.y; }
static int sum(const int *p, int n) {
    int s = 0;
    while (n--)
        s += *p++;
    return s;
}

int main(void) {
    printf("%d %d\n", sum(numbers, 4), origin->y);
    numbers[0] = 40;
    printf("%d\n", numbers[0]);
    printf("%d\n", dot((struct point){1, 2}, (struct point){.y = 3}));
    printf("%d\n", sum((int[5]){1, 2, [4] = 9}, 5));
    struct point *p = &(struct point){5, 6};
    p->x += 10;
    printf("%d %d\n", p->x, p->y);
    int *q = &(int){3};
    ++*q;
    printf("%d\n", *q);
    char *text = (char[]){"mutable"};
    text[0] = 'M';
    printf("%s %zu\n", text, sizeof(char[]){"mutable"});
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[2]){i};
        fresh[1] += 100;
        total += fresh[0] + fresh[1];
    }
    printf("%d\n", total);
    *p = (struct point){p->y, p->x};
    printf("%d %d\n", p->x, p->y);
    return (struct point){7, 8}.y + (int[]){1, 2, 3}[2] + p->y;
}
