//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
#include <stdlib.h>
int main(void) {
    int *p = calloc(1, 4);
    if (!p)
        return 0;
    free(p);
    return *p;
}
