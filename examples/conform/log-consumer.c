/* Takes the length for a number of four bytes. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint32_t length;
    int level = getchar();
    if (level == EOF)
        return 1;
    if (fread(&length, sizeof length, 1, stdin) != 1)
        return 1;
    for (int i = 0; i < 3; i++)
        if (getchar() == EOF)
            return 1;
    return 0;
}
