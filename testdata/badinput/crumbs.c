/* Asks for one byte after another: the records of so many objects count against the limit of memory. */
#include <stdlib.h>

int main(void) {
    for (;;)
        malloc(1);
}
