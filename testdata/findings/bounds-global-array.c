// Indexing a global table with an unchecked value.
#include <stdio.h>

static const int table[5] = {2, 3, 5, 7, 11};

static int look(unsigned i) {
    return table[i]; //~ ERROR out-of-bounds
}

int main(void) {
    printf("%d\n", look(4));
    printf("%d\n", look(5));
    return 0;
}
