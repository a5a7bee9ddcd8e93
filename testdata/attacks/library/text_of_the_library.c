//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *a = strerror(123456);
    char kept = a[14];
    const char *b = strerror(654321);
    // Both may be one buffer, which the second call has changed.
    assert(a != b);
    assert(a[14] == kept);
    assert(strlen(a) < 16);
    assert(a[0] == 'u');
    const char *home = getenv("HOME");
    assert(!home || strlen(home) < 5);
    assert(home != NULL);
    return 0;
}
