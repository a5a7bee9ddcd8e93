/* Writes records of a level and a text length, in binary, and the text. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    uint8_t level = c == 'e' ? 2 : 1;
    uint16_t length = 3;
    putchar(level);
    fwrite(&length, sizeof length, 1, stdout);
    for (int i = 0; i < 3; i++)
        putchar("log"[i]);
    return 0;
}
