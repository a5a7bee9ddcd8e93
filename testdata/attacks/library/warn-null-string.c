//@ class: library
//@ args: reach --target error --entry tell
//@ never: unreachable
// What `warnx` is given must be a string.
#include <err.h>
void tell(int n)
{
    char text[2] = {'a', 'b'};
    if (n == 77)
        warnx("%s", text);
}
