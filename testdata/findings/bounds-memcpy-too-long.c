// memcpy with the size of the wrong object.
#include <stdio.h>
#include <string.h>

int main(void) {
    int from[10] = {1, 2, 3}, to[8];
    memcpy(to, from, sizeof from); //~ ERROR out-of-bounds
    printf("%d\n", to[0]);
    return 0;
}
