// strlen of a null pointer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *v = getenv("PLUMBLINE_SURELY_UNSET_VARIABLE");
    size_t n = strlen(v); //~ ERROR null-dereference
    printf("%zu\n", n);
    return 0;
}
