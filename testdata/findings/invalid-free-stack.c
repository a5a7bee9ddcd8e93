// Freeing an object that did not come from malloc.
#include <stdlib.h>

int main(void) {
    int local = 3;
    int *p = &local;
    free(p); //~ ERROR invalid-free
    return 0;
}
