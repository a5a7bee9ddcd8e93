// A conversion has no argument.
#include <stdio.h>

int main(void) {
    int done = 3;
    printf("%d of %d\n", done, 5);
    printf("%d of %d\n", done); //~ ERROR bad-format
    return 0;
}
