// Uses its own copies of the header's static objects.
#include "calls.h"

int other_file(int n) {
    if (n == 0)
        return calls_so_far();
    int r = 0;
    while (n > 0)
        r += counted_square(n--);
    return CLAMP(r);
}
