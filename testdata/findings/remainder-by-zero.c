// A hash table of size zero.
#include <stdio.h>

static unsigned slot(unsigned hash, unsigned size) {
    return hash % size; //~ ERROR division-by-zero
}

int main(void) {
    printf("%u\n", slot(17, 5));
    printf("%u\n", slot(17, 0));
    return 0;
}
