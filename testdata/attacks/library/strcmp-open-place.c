//@ class: library
//@ args: reach --target error --entry compared
//@ never: unreachable
// As with `strlen`: nothing but the bounds of the object ends the comparison.
#include <string.h>
int compared(const unsigned char *bytes, unsigned long at, unsigned long by)
{
    return strcmp((const char *)bytes + at, (const char *)bytes + by);
}
