/* Watches a sensor and sends its readings; an unchanged reading is sent as `false` alone. */
#include "messages.h"

struct sensor {
    int setting;
    int valid;
};

static void sendReading(struct sensor *device, int prev) {
    if (device->setting == prev) {
        writeBool(0);
    } else {
        writeBool(1);
        writeDouble(device->setting);
        writeBool(device->valid);
    }
}

static void loop(struct sensor *device, int prev) {
    device->setting = more();
    device->valid = more();
    sendReading(device, prev);
    if (more())
        loop(device, device->setting);
}

int main(void) {
    struct sensor device;
    loop(&device, 0);
    return 0;
}
