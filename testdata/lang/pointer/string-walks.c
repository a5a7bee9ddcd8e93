// Walking strings with pointers: reverse, palindrome, split in place, compact.
#include <stdio.h>

static void reverse(char *a, char *b) {
    while (a < b) {
        char t = *a;
        *a++ = *--b;
        *b = t;
    }
}

static char *find_end(char *s) {
    while (*s)
        s++;
    return s;
}

static int palindrome(const char *s) {
    const char *e = s;
    while (*e)
        e++;
    while (s < e)
        if (*s++ != *--e)
            return 0;
    return 1;
}

static void squeeze(char *s) {
    char *w = s;
    for (char *r = s; (*w = *r) != '\0'; r++)
        if (*r != ' ')
            w++;
}

int main(void) {
    char text[] = "reverse the words here";
    reverse(text, find_end(text));
    for (char *word = text;;) {
        char *stop = word;
        while (*stop && *stop != ' ')
            stop++;
        reverse(word, stop);
        if (!*stop)
            break;
        word = stop + 1;
    }
    puts(text);
    printf("%d %d %d\n", palindrome("abccba"), palindrome("abcba"), palindrome("abca"));
    squeeze(text);
    puts(text);
    return (int)(find_end(text) - text);
}
