/* Of a word: its length, how many vowels it has, whether it reads the same backwards, and its letters shifted by n. */
#include <stdio.h>
#include <stdlib.h>

static int length(const char *s)
{
    int n = 0;
    while (s[n] != '\0')
        n++;
    return n;
}

static int vowels(const char *s)
{
    int count = 0;
    for (; *s; s++)
        if (*s == 'a' || *s == 'e' || *s == 'i' || *s == 'o' || *s == 'u')
            count++;
    return count;
}

static int mirrored(const char *s)
{
    int i = 0;
    int j = length(s) - 1;
    while (i < j) {
        if (s[i] != s[j])
            return 0;
        i++;
        j--;
    }
    return 1;
}

static int shift(int c, int by)
{
    if (c >= 'a' && c <= 'z')
        return 'a' + (c - 'a' + by) % 26;
    if (c >= 'A' && c <= 'Z')
        return 'A' + (c - 'A' + by) % 26;
    return c;
}

int main(int argc, char **argv)
{
    int i, by;
    if (argc != 3)
        return 1;
    by = atoi(argv[2]);
    printf("%d %d %d ", length(argv[1]), vowels(argv[1]), mirrored(argv[1]));
    for (i = 0; argv[1][i]; i++)
        putchar(shift(argv[1][i], by));
    putchar('\n');
    return 0;
}
