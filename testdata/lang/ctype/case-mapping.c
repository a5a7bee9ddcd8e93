// toupper and tolower for letters and everything else.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int changed = 0;
    for (int c = 32; c < 127; c++) {
        putchar(toupper(c));
        changed += toupper(c) != c;
    }
    putchar('\n');
    for (int c = 32; c < 127; c++) {
        putchar(tolower(c));
        changed += tolower(c) != c;
    }
    printf("\n%d %d\n", changed, tolower(EOF) == EOF);
    return changed;
}
