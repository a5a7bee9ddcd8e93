//@ class: contracts
//@ args: contract
//@ never: proved given
// What is grown may have moved: the old pointer is another.
#include <stdlib.h>
struct vec { int *items; int count; };
/*@ requires v != \null; ensures v->items == \old(v->items); */
int grow(struct vec *v, int count) {
    int *items;
    if (count < 1234567) return 0;
    items = realloc(v->items, (size_t)count * sizeof *items);
    if (!items) return -1;
    v->items = items;
    return 1;
}
