// Following a pointer that was never set.
#include <stdio.h>

int main(void) {
    int *p;
    int x = 3;
    if (x > 5)
        p = &x;
    printf("%d\n", *p); //~ ERROR uninitialised-read
    return 0;
}
