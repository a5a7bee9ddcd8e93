//@ class: library
//@ args: reach --entry mark --target 11
//@ never: unreachable
#include <stdio.h>
// A caller may have made the stream with fmemopen, over the array.
int mark(FILE *out, char *text) {
    text[0] = 'a';
    fputc('b', out);
    fflush(out);
    if (text[0] != 'a')
        return 1;
    return 0;
}
