/* Forgets the opening character: no reader of the other examples takes that. */
#include "messages.h"

int main(void) {
    writeInt(more());
    writeChar(')');
    return 0;
}
