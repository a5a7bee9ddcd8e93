// A pointer to a local outlives its function.
#include <stdio.h>

static int *address_of_local(void) {
    int local = 42;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = address_of_local();
    printf("%d\n", *p); //~ ERROR use-after-scope
    return 0;
}
