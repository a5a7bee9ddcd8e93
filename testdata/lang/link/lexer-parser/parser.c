// The parser and evaluator.
#include "tokens.h"

static int vars[128];
static int good;

static int expression(void);
static int sign(int c) {
    if (token.kind != T_SIGN || token.value != c)
        return 0;
    advance();
    return 1;
}
static int factor(void) {
    int v = token.value;
    switch (token.kind) {
    case T_NUMBER: advance(); return v;
    case T_NAME: advance(); return vars[v];
    default:
        if (sign('(')) {
            v = expression();
            good &= sign(')');
            return v;
        }
        good = 0;
        return 0;
    }
}
static int product(void) {
    int v = factor();
    while (sign('*'))
        v *= factor();
    return v;
}
static int expression(void) {
    int v = product();
    for (;;) {
        if (sign('+'))
            v += product();
        else if (sign('-'))
            v -= product();
        else
            return v;
    }
}
int parse_line(int *ok) {
    good = 1;
    while (token.kind == T_LET) {
        advance();
        int name = token.value;
        advance();
        good &= sign('=');
        vars[name] = expression();
        good &= sign(';');
    }
    int v = expression();
    *ok = good && token.kind == T_END;
    return v;
}
