// A ring buffer with wrap-around indices on a fixed array.
#include <stdbool.h>
#include <stdio.h>

#define CAP 5
struct ring {
    int data[CAP];
    unsigned head, tail;
};

static unsigned count(const struct ring *r) { return r->head - r->tail; }
static bool put(struct ring *r, int v) {
    if (count(r) == CAP)
        return false;
    r->data[r->head++ % CAP] = v;
    return true;
}
static bool get(struct ring *r, int *v) {
    if (count(r) == 0)
        return false;
    *v = r->data[r->tail++ % CAP];
    return true;
}

int main(void) {
    struct ring r = {.head = 0, .tail = 0};
    int rejected = 0, sum = 0, v;
    for (int i = 0; i < 30; i++) {
        if (!put(&r, i * i))
            rejected++;
        if (i % 3 == 2) {
            while (count(&r) > 1 && get(&r, &v)) {
                printf("%d ", v);
                sum += v;
            }
            printf("| %u left\n", count(&r));
        }
        if (i == 20)
            for (int k = 0; k < 7; k++)
                rejected += !put(&r, -k);
    }
    printf("%d %d\n", sum, rejected);
    return rejected * 7;
}
