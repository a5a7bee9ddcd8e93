// The program gives up with abort.
#include <stdio.h>
#include <stdlib.h>

static void require(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "missing: %s\n", what);
        abort(); //~ ERROR aborted
    }
}

int main(void) {
    require(1, "one");
    require(0, "two");
    return 0;
}
