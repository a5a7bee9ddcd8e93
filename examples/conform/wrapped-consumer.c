/* Reads what wrapped-producer.c writes; each place has a function of its own. */
#include "messages.h"

static int inputInt1(void) {
    return readInt();
}

static int inputInt2(void) {
    return readInt();
}

int main(void) {
    if (more()) {
        inputInt1();
    } else {
        readChar();
        inputInt2();
        readChar();
    }
    return 0;
}
