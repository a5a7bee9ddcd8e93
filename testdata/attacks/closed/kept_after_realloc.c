//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 3;
    int *q = realloc(p, 8 * sizeof *p);
    if (!q) {
        assert(*p != 3);
        free(p);
        return 0;
    }
    free(q);
    return 0;
}
