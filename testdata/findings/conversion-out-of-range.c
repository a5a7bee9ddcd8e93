// A double that does not fit in an int.
#include <stdio.h>

static int whole(double x) {
    return (int)x; //~ ERROR bad-conversion
}

int main(void) {
    printf("%d\n", whole(2147483647.0));
    printf("%d\n", whole(2147483648.0));
    return 0;
}
