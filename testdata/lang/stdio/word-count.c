// Counting lines, words and characters of standard input, with a histogram.
//~ stdin: It was the best of times,\nit was the worst of times,\n\n  it was the age of wisdom\n
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int c, lines = 0, words = 0, chars = 0, in = 0, hist[26] = {0};
    while ((c = getchar()) != EOF) {
        chars++;
        if (c == '\n')
            lines++;
        if (isspace(c)) {
            in = 0;
        } else if (!in) {
            in = 1;
            words++;
        }
        if (isalpha(c))
            hist[tolower(c) - 'a']++;
    }
    printf("%d %d %d\n", lines, words, chars);
    for (int i = 0; i < 26; i++)
        if (hist[i])
            printf("%c %2d %.*s\n", 'a' + i, hist[i], hist[i], "####################");
    return words;
}
