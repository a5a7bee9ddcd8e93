//@ class: library
//@ args: reach --target error --entry measure
//@ never: unreachable
// Where in the bytes the string starts is open, and none of them need be its end.
#include <string.h>
unsigned long measure(const unsigned char *bytes, unsigned long at)
{
    return strlen((const char *)bytes + at);
}
