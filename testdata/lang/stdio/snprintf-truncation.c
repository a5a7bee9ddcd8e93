// snprintf return values and truncation, sprintf chains, size zero, and appending at an offset.
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[10];
    int n = snprintf(b, sizeof b, "%s", "short");
    printf("%d [%s]\n", n, b);
    n = snprintf(b, sizeof b, "%d-%s", 12345, "truncated");
    printf("%d [%s] %zu\n", n, b, strlen(b));
    n = snprintf(b, 1, "x");
    printf("%d [%s]\n", n, b);
    n = snprintf(NULL, 0, "%08.3f|%x", 3.14159, 255);
    printf("%d\n", n);
    char line[64];
    int at = 0;
    for (int i = 0; i < 6; i++)
        at += sprintf(line + at, i ? ",%d" : "%d", i * i);
    printf("%s %d\n", line, at);
    at = 0;
    for (int i = 0; i < 30; i++) {
        int r = snprintf(line + at, sizeof line - (size_t)at, "%d.", i);
        if (r >= (int)sizeof line - at)
            break;
        at += r;
    }
    printf("%s %d\n", line, at);
    return at;
}
