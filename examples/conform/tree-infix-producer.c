/* Writes a tree in infix order: left, node, right. */
#include "messages.h"

static void tree(void) {
    writeBool(1);
    if (more())
        tree();
    else
        writeBool(0);
    writeInt(more());
    if (more())
        tree();
    else
        writeBool(0);
}

int main(void) {
    tree();
    return 0;
}
