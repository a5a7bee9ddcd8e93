// Objects that are never set, or set before every use, are fine; so is taking their address.
#include <stdio.h>

static void set(int *out) { *out = 6; }

int main(void) {
    int unused, later, filled[10], *p = &unused;
    set(&later);
    for (int i = 0; i < 10; i++)
        filled[i] = i;
    printf("%d %d %zu %d\n", later, filled[9], sizeof unused, p == &unused);
    int k;
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            k = 40;
        else
            k++;
    }
    return k;
}
