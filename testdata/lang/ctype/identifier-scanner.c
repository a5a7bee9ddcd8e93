// A scanner of identifiers, numbers and operators built on ctype.
//~ stdin: int x1 = 0x2F + y_2*(3.14 - .5e2);\n\treturn "str" ;\n
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int c = getchar(), idents = 0, numbers = 0, others = 0;
    while (c != EOF) {
        if (isspace(c)) {
            c = getchar();
        } else if (isalpha(c) || c == '_') {
            do {
                putchar(c);
                c = getchar();
            } while (isalnum(c) || c == '_');
            printf(" identifier\n");
            idents++;
        } else if (isdigit(c)) {
            do {
                putchar(c);
                c = getchar();
            } while (isxdigit(c) || c == 'x' || c == '.');
            printf(" number\n");
            numbers++;
        } else if (ispunct(c)) {
            printf("%c punctuation\n", c);
            others++;
            c = getchar();
        } else {
            return 99;
        }
    }
    printf("%d %d %d\n", idents, numbers, others);
    return idents * 10 + numbers;
}
