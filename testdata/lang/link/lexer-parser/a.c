// A three-file expression evaluator: driver, lexer and parser with shared token types.
#include <stdio.h>
#include "tokens.h"

int main(void) {
    const char *lines[] = {"1+2*3", "(1+2)*3", "let x = 7; x*x - 1", "2+", "let y = 5; let x = y+1; x*y"};
    int last = 0;
    for (int i = 0; i < 5; i++) {
        int ok;
        lexer_start(lines[i]);
        int v = parse_line(&ok);
        if (ok)
            printf("%s = %d\n", lines[i], last = v);
        else
            printf("%s: unexpected %s\n", lines[i], token_name(token.kind));
    }
    return last;
}
