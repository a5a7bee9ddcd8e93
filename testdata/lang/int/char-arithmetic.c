// Arithmetic on characters: case flips, digit values, Caesar shift, hexadecimal.
#include <stdio.h>

static char rot(char c, int k) {
    if (c >= 'a' && c <= 'z')
        return (char)('a' + (c - 'a' + k + 26) % 26);
    if (c >= 'A' && c <= 'Z')
        return (char)('A' + (c - 'A' + k + 26) % 26);
    return c;
}

static int hexval(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int main(void) {
    char text[] = "The Quick Brown Fox, 42 times!";
    for (int i = 0; text[i]; i++)
        text[i] = rot(text[i], 13);
    puts(text);
    for (int i = 0; text[i]; i++)
        text[i] = rot(text[i], -13);
    puts(text);
    for (char *p = text; *p; ++p)
        if (*p >= 'a' && *p <= 'z')
            *p -= 'a' - 'A';
        else if (*p >= 'A' && *p <= 'Z')
            *p ^= 0x20;
    puts(text);
    unsigned v = 0;
    for (const char *h = "C0ffee"; *h; h++)
        v = v << 4 | (unsigned)hexval(*h);
    printf("%u %d\n", v, hexval('g'));
    return 'z' - 'A' + '\n';
}
