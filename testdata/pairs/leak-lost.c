// The only pointer to a heap object is overwritten before the object is freed.
#include <stdio.h>
#include <stdlib.h>

static void *get(size_t size) {
    return malloc(size); //~ ERROR leak
}

int main(void) {
    char *p = get(10);
#ifdef TWIN
    free(p);
#endif
    p = get(20);
    free(p);
    puts("done");
    return 0;
}
