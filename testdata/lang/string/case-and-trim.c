// Case conversion, trimming, and counting words with ctype functions on a buffer.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static char *trim(char *s) {
    while (isspace((unsigned char)*s))
        s++;
    char *e = s + strlen(s);
    while (e > s && isspace((unsigned char)e[-1]))
        *--e = '\0';
    return s;
}

static void title(char *s) {
    int start = 1;
    for (; *s; s++) {
        *s = (char)(start ? toupper((unsigned char)*s) : tolower((unsigned char)*s));
        start = !isalnum((unsigned char)*s);
    }
}

int main(void) {
    char a[] = "  \t the QUICK brown-fox 3rd  \n";
    char *t = trim(a);
    printf("[%s]\n", t);
    title(t);
    printf("[%s]\n", t);
    char blank[] = "   ";
    printf("[%s]\n", trim(blank));
    printf("%d %d %d\n", strcasecmp("HeLLo", "hEllO") == 0, strcasecmp("a", "B") < 0, strncasecmp("ABCx", "abcy", 3) == 0);
    int words = 0, in = 0;
    for (char *p = t; *p; p++) {
        int w = !isspace((unsigned char)*p);
        words += w && !in;
        in = w;
    }
    printf("%d\n", words);
    return words * 9;
}
