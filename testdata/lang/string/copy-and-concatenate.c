// strcpy, strncpy, strcat, strncat, stpcpy-free building, and their padding rules.
#include <stdio.h>
#include <string.h>

static void show(const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        putchar(b[i] ? b[i] : '.');
    putchar('\n');
}

int main(void) {
    char b[16];
    memset(b, '#', sizeof b);
    strncpy(b, "abc", 8);
    show(b, sizeof b);
    memset(b, '#', sizeof b);
    strncpy(b, "abcdefgh", 4);
    show(b, sizeof b);
    strcpy(b, "start");
    show(b, sizeof b);
    strcat(b, "-mid");
    strncat(b, "-the-end", 3);
    printf("%s %zu\n", b, strlen(b));
    strncat(b, "xy", 10);
    printf("%s\n", b);
    char *r = strcpy(b + 2, "Q");
    printf("%s %d\n", b, (int)(r - b));
    strncpy(b, "", 3);
    show(b, 6);
    char *s = strcat(strcpy(b, "he"), "llo");
    printf("%s %d\n", s, s == b);
    return (int)strlen(b) * 11;
}
