//@ class: library
//@ args: reach --entry twice --target error
//@ never: unreachable
#include <stdio.h>
int twice(const char *name) {
    FILE *f = fopen(name, "a");
    if (!f) return 0;
    int failed = fclose(f);
    return failed ? 0 : fputs("more", f);
}
