/* Reads a tree in prefix order: node, left, right. */
#include "messages.h"

static void tree(void) {
    readBool();
    readInt();
    if (more())
        tree();
    else
        readBool();
    if (more())
        tree();
    else
        readBool();
}

int main(void) {
    tree();
    return 0;
}
