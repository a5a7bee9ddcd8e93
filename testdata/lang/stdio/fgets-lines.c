// fgets with short and long lines, newline removal, and a last line without newline.
//~ stdin: first line\na much longer second line than the buffer\n\nlast
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[16];
    int chunks = 0, lines = 0;
    while (fgets(b, sizeof b, stdin)) {
        size_t n = strlen(b);
        chunks++;
        if (n && b[n - 1] == '\n') {
            b[n - 1] = '\0';
            lines++;
            printf("[%s]\n", b);
        } else {
            printf("[%s]+\n", b);
        }
    }
    printf("%d %d %d\n", chunks, lines, feof(stdin) != 0);
    return chunks * 10 + lines;
}
