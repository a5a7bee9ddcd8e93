/* Writes a tree in prefix order: node, left, right. */
#include "messages.h"

static void tree(void) {
    writeBool(1);
    writeInt(more());
    if (more())
        tree();
    else
        writeBool(0);
    if (more())
        tree();
    else
        writeBool(0);
}

int main(void) {
    tree();
    return 0;
}
