/* Was not told that readings end with a flag now: found only if packets are kept in step (--separator). */
#include "messages.h"

static void updateReading(int *setting) {
    *setting = (int)readDouble();
}

int main(void) {
    int setting = 0;
    while (more()) {
        if (readBool())
            updateReading(&setting);
    }
    return 0;
}
