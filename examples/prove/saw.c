/* x rises by steps of up to 7 and falls by 1. x <= 106 is no induction by itself: from x == 106 with phase == 0 it would
   rise further. That no run is ever there, because x < 100 || phase >= 1, is found from that very state. */
#include <assert.h>

int __VERIFIER_nondet_int(void);

int mainQ(int up) {
    int x = 0, phase = 0;
    if (up < 1 || up > 7) return 0;
    while (__VERIFIER_nondet_int()) {
        assert(x <= 106);
        if (phase == 0) {
            x = x + up;
            if (x >= 100) phase = 1;
        } else {
            x = x - 1;
            if (x <= 0) phase = 0;
        }
    }
    return 0;
}
