//@ class: library
//@ args: reach --entry both --target error
//@ never: unreachable
#include <stdio.h>
// Undefined if the caller gives one stream twice.
int both(FILE *a, FILE *b) {
    fclose(a);
    return fputc('x', b);
}
