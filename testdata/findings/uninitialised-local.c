// A local that is only assigned on one path.
#include <stdio.h>

static int pick(int k) {
    int r;
    if (k > 0)
        r = k * 2;
    return r; //~ ERROR uninitialised-read
}

int main(void) {
    printf("%d\n", pick(3));
    printf("%d\n", pick(0));
    return 0;
}
