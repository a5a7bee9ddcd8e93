//@ class: reach
//@ args: reach --entry save --target 16
//@ never: reached
//@ twin: unreachable
#include <stdio.h>
#include <string.h>
int save(const char *name, int n) {
    FILE *f = fopen(name, "w");
    if (!f) {
        fprintf(stderr, "%s: %s\n", name, strerror(n));
        return -1;
    }
    int failed = fprintf(f, "%s is %d\n", name, n) < 0;
    if (fclose(f) != 0) failed = 2;
    if (failed > 2)
        return 3;
    return failed;
}
