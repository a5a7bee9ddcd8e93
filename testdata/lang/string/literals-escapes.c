// String and character literals: escapes, octal and hex, concatenation, embedded NUL, u8 and raw bytes.
#include <stdio.h>
#include <string.h>

int main(void) {
    printf("tab\there\\ \"quoted\" 'single' \?\n");
    const char *all = "\a\b\f\n\r\t\v\\\'\"\?\0\1\12\123\x41\x7f";
    const unsigned char *u = (const unsigned char *)all;
    for (int i = 0; i < 17; i++)
        printf("%d ", u[i]);
    printf("\n");
    const char *joined = "one" " two"
                         " three" "";
    printf("%s %zu\n", joined, strlen(joined));
    printf("%zu %zu\n", sizeof "a\0b", strlen("a\0b"));
    printf("%d %d %d %d\n", '\n', '\\', '\'', '\101');
    printf("%zu\n", sizeof("\x41" "B"));
    printf("%s\n", "\x41" "B");
    const char *utf = u8"caf\u00e9";
    printf("%s %zu\n", utf, strlen(utf));
    printf("%s\n", "\103" "4" "\0" "hidden");
    char both[] = "line one\nline two\n";
    int lines = 0;
    for (char *p = both; *p; p++)
        lines += *p == '\n';
    printf("%d\n", lines);
    printf("%s", "100%\n");
    printf("%d%%\n", 50);
    return (int)strlen(joined) + lines;
}
