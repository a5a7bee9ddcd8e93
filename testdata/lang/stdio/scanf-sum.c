// scanf from standard input until it fails; mixed words and numbers.
//~ stdin: 3 apples\n12 pears\n  7\tfigs\nend
#include <stdio.h>

int main(void) {
    int n, total = 0, lines = 0;
    char what[16];
    while (scanf("%d %15s", &n, what) == 2) {
        printf("%s: %d\n", what, n);
        total += n;
        lines++;
    }
    int r = scanf("%15s", what);
    printf("%d %s\n", r, what);
    r = scanf("%15s", what);
    printf("%d %d\n", r == EOF, feof(stdin) != 0);
    printf("%d %d\n", lines, total);
    return total;
}
