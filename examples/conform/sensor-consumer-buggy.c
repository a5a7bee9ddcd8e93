/* Forgets that an unchanged reading is sent as one `false`. */
#include "messages.h"

static void updateReading(int *setting, int *valid) {
    *setting = (int)readDouble();
    *valid = readBool();
}

int main(void) {
    int setting = 0, valid = 0;
    while (more()) {
        readBool();
        updateReading(&setting, &valid);
    }
    return 0;
}
