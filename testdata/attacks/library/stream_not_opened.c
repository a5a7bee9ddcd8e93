//@ class: library
//@ args: reach --entry first --target error
//@ never: unreachable
#include <stdio.h>
int first(const char *name) {
    FILE *f = fopen(name, "r");
    int c = fgetc(f);
    fclose(f);
    return c;
}
