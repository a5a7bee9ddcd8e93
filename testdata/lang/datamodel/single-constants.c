// Floating constants without a suffix are float.
//~ cflags: -fsingle-precision-constant
#include <stdio.h>
int main(void) {
    double d = 0.1;
    printf("%.17g %zu %zu %d %.17g\n", d, sizeof 1.0, sizeof 1.0L, 0.1 == 0.1f, 1e-3 * 3);
    return 0;
}
