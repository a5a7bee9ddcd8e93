// Takes memory until malloc returns NULL and writes to all of it: the memory budget must hold.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t blocks = 0, size = (size_t)1 << 24;
    for (;;) {
        char *p = malloc(size);
        if (!p)
            break;
        memset(p, (int)(blocks & 127), size);
        blocks++;
    }
    printf("%d\n", blocks > 0);
    return 7;
}
