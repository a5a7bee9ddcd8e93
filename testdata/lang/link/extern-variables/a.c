// extern variables, arrays of unknown size and tentative definitions shared between files.
#include <stdio.h>
#include "state.h"

int total;
static void local_work(void) { total += limit; }
extern int later;

int main(void) {
    printf("%d %d %s\n", total, limit, greeting);
    local_work();
    bump(7);
    for (int i = 0; i < table_len; i++)
        total += table[i];
    printf("%d %d\n", total, later);
    current.x = 40;
    move_right(2);
    printf("%d %d %d\n", current.x, current.y, *where);
    table[1] = 9;
    printf("%d\n", table_sum());
    return total;
}

int later = 77;
