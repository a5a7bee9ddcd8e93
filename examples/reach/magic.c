/* A reader of small files from standard input: six characters that say what it is, a version, and a checksum. */
#include <stdio.h>

static const char magic[] = "PLUMB!";

static int header(void) {
    for (int k = 0; k < 6; k++) {
        if (getchar() != magic[k])
            return 0;
    }
    return 1;
}

int main(void) {
    int version, first, second, sum;
    if (!header()) {
        puts("not one of ours");
        return 1;
    }
    version = getchar();
    if (version == EOF)
        return 2;
    if (version < '1' || version > '3') {
        puts("unknown version");
        return 3;
    }
    if (version == '0') /* cannot be */
        return 4;
    first = getchar();
    second = getchar();
    if (second == EOF)
        return 5;
    sum = getchar();
    if (sum != ((first ^ second) & 0x7f)) {
        puts("damaged");
        return 6;
    }
    switch (version) {
    case '1':
        puts("old");
        break;
    case '2':
        puts("current");
        break;
    default:
        puts("new");
        break;
    }
    return 0;
}
