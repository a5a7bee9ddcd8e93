/* One function reads the number in both places. A model in which it returns to any of its callers accepts an int and
   then a char; the program does not. */
#include "messages.h"

static int f(void) {
    return readInt();
}

int main(void) {
    if (more()) {
        f();
    } else {
        readChar();
        f();
        readChar();
    }
    return 0;
}
