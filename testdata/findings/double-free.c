// Two owners free the same block.
#include <stdlib.h>

static void release(int *p) {
    free(p); //~ ERROR double-free
}

int main(void) {
    int *p = malloc(sizeof *p);
    release(p);
    release(p);
    return 0;
}
