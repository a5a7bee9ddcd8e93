// Casting const away and writing.
#include <stdio.h>

static const int limits[3] = {1, 2, 3};

int main(void) {
    int *p = (int *)limits;
    printf("%d\n", p[1]);
    p[1] = 20; //~ ERROR write-to-constant
    return 0;
}
