// static inline functions and static tables of a header, with one copy per file.
#include <stdio.h>
#include "calls.h"

int other_file(int n);

int main(void) {
    int a = counted_square(3), b = counted_square(4);
    int c = other_file(5);
    printf("%d %d %d\n", a, b, c);
    printf("%d %d\n", calls_so_far(), other_file(0));
    printf("%d %d %d\n", CLAMP(50), CLAMP(-1), LEVELS[2]);
    return calls_so_far() * 10 + LEVELS[1];
}
