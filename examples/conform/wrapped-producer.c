/* The source's figure 6: one function is called from two places. */
#include "messages.h"

static void outputInt(void) {
    writeInt(more());
}

int main(void) {
    if (more()) {
        outputInt();
    } else {
        writeChar('(');
        outputInt();
        writeChar(')');
    }
    return 0;
}
