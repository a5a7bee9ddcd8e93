//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    time_t before = time(NULL), after = time(NULL);
    assert(before != after);
    assert(before == 0);
    assert(rand() < 100);
    assert(rand() == rand());
    assert(getpid() == 2);
    assert(strcoll("b", "a") == 1);
    return 0;
}
