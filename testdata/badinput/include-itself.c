// A file that includes itself without a guard.
#include "include-itself.c"

int main(void) {
    return 0;
}
