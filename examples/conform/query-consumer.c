/* Reads an answer; the number of hits had two bytes once. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint16_t hits;
    if (getchar() != '+')
        return 1;
    if (fread(&hits, sizeof hits, 1, stdin) != 1)
        return 0;
    return getchar() == EOF ? 0 : 1;
}
