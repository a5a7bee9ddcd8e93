// char arrays from literals: exact fit, longer, unsigned char, and tables of strings.
#include <stdio.h>
#include <string.h>

static char exact[3] = "abc";
static char longer[8] = "abc";
static char implicit[] = "abc";
static char braced[] = {"abc"};
static unsigned char raw[] = "\x01\xff";
static const char *table[] = {"zero", "one", "two", "three", "four"};
static char months[][4] = {"jan", "feb", "mar", "apr"};

int main(void) {
    printf("%zu %zu %zu %zu %zu\n", sizeof exact, sizeof longer, sizeof implicit, sizeof braced, sizeof raw);
    printf("%.3s %s %s %s\n", exact, longer, implicit, braced);
    printf("%d %d %d\n", raw[0], raw[1], raw[2]);
    printf("%d\n", longer[3] | longer[4] | longer[7]);
    size_t n = sizeof table / sizeof *table, total = 0;
    for (size_t i = 0; i < n; i++)
        total += strlen(table[i]);
    printf("%zu\n", total);
    months[2][0] = 'M';
    for (size_t i = 0; i < sizeof months / sizeof months[0]; i++)
        printf("%s,", months[i]);
    printf("\n%c %c\n", "hello"[1], *("hello" + 4));
    printf("%zu\n", sizeof "hello" + sizeof(char[10]));
    return (int)total;
}
