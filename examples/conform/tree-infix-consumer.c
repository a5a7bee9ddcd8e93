/* Reads a tree in infix order: left, node, right. */
#include "messages.h"

static void tree(void) {
    readBool();
    if (more())
        tree();
    else
        readBool();
    readInt();
    if (more())
        tree();
    else
        readBool();
}

int main(void) {
    tree();
    return 0;
}
