// The value of a function that ended without return is used.
#include <stdio.h>

static int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

int main(void) {
    printf("%d\n", sign(5));
    int s = sign(0); //~ ERROR missing-return-value-used
    printf("%d\n", s);
    return 0;
}
