// getenv of a variable that is not set.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *v = getenv("PLUMBLINE_SURELY_UNSET_VARIABLE");
    printf("%s\n", v ? "set" : "unset");
    return v == NULL ? 8 : 9;
}
