/* Cuts a line into numbers (n), names (w), strings (s) and other characters (c); names that are keywords are k. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MOST 200

static char line[MOST];

static int is_keyword(const char *s, int n)
{
    return (n == 2 && strncmp(s, "if", 2) == 0) || (n == 4 && strncmp(s, "else", 4) == 0)
        || (n == 5 && strncmp(s, "while", 5) == 0);
}

int main(void)
{
    int i = 0;
    int count = 0;
    if (!fgets(line, MOST, stdin))
        return 1;
    while (line[i] != '\0') {
        int start = i;
        char kind = 'c';
        if (isspace((unsigned char)line[i])) {
            i++;
            continue;
        }
        if (isdigit((unsigned char)line[i])) {
            while (isdigit((unsigned char)line[i]))
                i++;
            kind = 'n';
        } else if (isalpha((unsigned char)line[i]) || line[i] == '_') {
            while (isalnum((unsigned char)line[i]) || line[i] == '_')
                i++;
            kind = is_keyword(line + start, i - start) ? 'k' : 'w';
        } else if (line[i] == '"') {
            i++;
            while (line[i] != '\0' && line[i] != '"')
                i++;
            if (line[i] == '"')
                i++;
            kind = 's';
        } else {
            i++;
        }
        printf("%c%d ", kind, i - start);
        count++;
    }
    printf("%d\n", count);
    return 0;
}
