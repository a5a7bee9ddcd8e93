// puts, putchar, fputs, fputc, putc, fwrite to stdout and fprintf to stderr with return values.
#include <stdio.h>

int main(void) {
    puts("puts adds a newline");
    fputs("fputs does not, ", stdout);
    fputc('X', stdout);
    putc('Y', stdout);
    int c = putchar('\n');
    printf("%d %d\n", c, putchar('A') == 'A');
    puts("");
    size_t n = fwrite("raw bytes\n", 1, 10, stdout);
    printf("%zu\n", n);
    n = fwrite("abcdef\n", 2, 3, stdout);
    printf("\n%zu\n", n);
    int e = fprintf(stderr, "to stderr %d\n", 5);
    fputs("more\n", stderr);
    printf("%d\n", e);
    fflush(stdout);
    fflush(NULL);
    return e;
}
