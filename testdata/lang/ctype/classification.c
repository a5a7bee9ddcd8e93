// Every classification function of ctype.h over the whole ASCII range, as a table of bits.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    unsigned hash = 5381;
    for (int c = 0; c < 128; c++) {
        int bits = 0;
        bits |= !!isalpha(c) << 0;
        bits |= !!isdigit(c) << 1;
        bits |= !!isalnum(c) << 2;
        bits |= !!isspace(c) << 3;
        bits |= !!isupper(c) << 4;
        bits |= !!islower(c) << 5;
        bits |= !!ispunct(c) << 6;
        bits |= !!isprint(c) << 7;
        bits |= !!isgraph(c) << 8;
        bits |= !!iscntrl(c) << 9;
        bits |= !!isxdigit(c) << 10;
        bits |= !!isblank(c) << 11;
        printf("%03x%c", bits, c % 16 == 15 ? '\n' : ' ');
        hash = hash * 33 + (unsigned)bits;
    }
    printf("%u\n", hash);
    printf("%d %d\n", isalpha(EOF), isspace(EOF));
    return (int)(hash % 126);
}
