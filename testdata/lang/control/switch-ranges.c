// GNU case ranges, nested switches and large or negative labels.
#include <limits.h>
#include <stdio.h>

static const char *kind(int c) {
    switch (c) {
    case 'a' ... 'z': return "lower";
    case 'A' ... 'Z': return "upper";
    case '0' ... '9': return "digit";
    case INT_MIN ... -1: return "negative";
    case 0: return "nul";
    case 128 ... INT_MAX: return "large";
    default: return "other";
    }
}

static int nested(int a, int b) {
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 11;
        case 2: break;
        default: return 19;
        }
        return 12;
    case 2:
        switch (b) {
        case 1: a += 5;
        }
        break;
    }
    return a;
}

static int unsigned_switch(unsigned long v) {
    switch (v) {
    case 0xFFFFFFFFFFFFFFFFul: return 1;
    case 0x100000000ul: return 2;
    case 0: return 3;
    }
    return 4;
}

int main(void) {
    const int probes[] = {'a', 'q', 'z', '{', 'M', '5', 0, -1, INT_MIN, 127, 128, INT_MAX};
    for (unsigned i = 0; i < sizeof probes / sizeof *probes; i++)
        printf("%d %s\n", probes[i], kind(probes[i]));
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            printf("%d ", nested(a, b));
    printf("\n%d %d %d %d\n", unsigned_switch(-1), unsigned_switch(1ul << 32), unsigned_switch(0), unsigned_switch(9));
    return nested(2, 1);
}
