//@ class: contracts
//@ args: contract
//@ never: proved given
// The library sets it where nobody looks.
#include <errno.h>
#include <stdlib.h>
/*@ ensures \result == 0; */
int parsed(const char *s) { errno = 0; if (!s) return 0; (void)strtol(s, 0, 10); return errno; }
