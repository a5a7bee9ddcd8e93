// Factorials with base-10000 limbs, and the digit sum of 100!.
#include <stdint.h>
#include <stdio.h>

static uint32_t limb[64];
static int used = 1;

static void times(uint32_t k) {
    uint32_t carry = 0;
    for (int i = 0; i < used; i++) {
        uint32_t v = limb[i] * k + carry;
        limb[i] = v % 10000;
        carry = v / 10000;
    }
    while (carry) {
        limb[used++] = carry % 10000;
        carry /= 10000;
    }
}

int main(void) {
    limb[0] = 1;
    for (uint32_t k = 2; k <= 100; k++) {
        times(k);
        if (k % 20 == 0) {
            printf("%u! = %u", k, limb[used - 1]);
            for (int i = used - 1; i-- > 0;)
                printf("%04u", limb[i]);
            printf("\n");
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < used; i++)
        for (uint32_t v = limb[i]; v; v /= 10)
            sum += v % 10;
    printf("%u %d\n", sum, used);
    return (int)(sum % 126);
}
