// getchar, getc, ungetc and EOF: an expression reader with one character of lookahead.
//~ stdin: 12+34*2-5\n7*7*2\n
#include <ctype.h>
#include <stdio.h>

static int number(void) {
    int c, v = 0;
    while (isdigit(c = getchar()))
        v = v * 10 + c - '0';
    ungetc(c, stdin);
    return v;
}
static int product(void) {
    int v = number(), c;
    while ((c = getc(stdin)) == '*')
        v *= number();
    ungetc(c, stdin);
    return v;
}
static int expression(void) {
    int v = product(), c;
    while ((c = fgetc(stdin)) == '+' || c == '-')
        v = c == '+' ? v + product() : v - product();
    ungetc(c, stdin);
    return v;
}

int main(void) {
    int c, last = 0;
    while ((c = getchar()) != EOF) {
        ungetc(c, stdin);
        last = expression();
        printf("%d\n", last);
        if ((c = getchar()) != '\n')
            return 1;
    }
    return last;
}
