// Every compound assignment and increment on bit-fields, through values and pointers, in arrays of structs.
#include <stdio.h>

struct cell {
    unsigned kind : 2;
    unsigned count : 6;
    int bias : 4;
};

static void bump(struct cell *c) {
    c->count += 9;
    c->bias -= 3;
    c->kind ^= 3;
}

int main(void) {
    struct cell cells[4] = {{0, 60, -8}, {1, 3, 7}, {2, 31}, {.bias = -1}};
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++)
            bump(&cells[i]);
        for (int i = 0; i < 4; i++)
            printf("(%u %u %d)", cells[i].kind, cells[i].count, cells[i].bias);
        printf("\n");
    }
    struct cell *p = &cells[1];
    printf("%d\n", p->count++);
    printf("%d\n", ++p->count);
    p->count <<= 2;
    printf("%d\n", p->count);
    p->count >>= 1;
    p->count |= 1;
    p->count &= 0x2f;
    p->count %= 20;
    printf("%d\n", p->count);
    p->bias = 5;
    p->bias /= 2;
    p->bias = -p->bias;
    printf("%d %d\n", p->bias, p->bias < 0);
    unsigned total = 0;
    for (int i = 0; i < 4; i++)
        total += cells[i].kind * 4u + cells[i].count;
    printf("%u\n", total);
    return (int)total % 126;
}
