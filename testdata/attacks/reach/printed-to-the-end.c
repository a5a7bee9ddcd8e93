//@ class: reach
//@ args: reach --entry show --target error
//@ never: unreachable
#include <stdio.h>
// A string whose end was overwritten goes on behind it.
int show(char *s) {
    char copy[4] = "abc";
    copy[3] = s[0];
    return puts(copy);
}
