// Defines what the header declares.
#include "state.h"

extern int total;
int limit = 12;
const char *greeting = "hello";
int table[] = {4, 5, 6};
int table_len = sizeof table / sizeof *table;
struct point current = {.y = 3};
int *where = &current.y;

void bump(int by) {
    extern int total;
    total += by;
}
void move_right(int dx) {
    current.x += dx;
    ++*where;
}
int table_sum(void) {
    int s = 0;
    for (int i = 0; i < table_len; i++)
        s += table[i];
    return s;
}
