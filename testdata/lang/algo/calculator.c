// Tokenizer and recursive-descent calculator with precedence, unary minus, power and errors.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char *at;
static int failed;

static double sum(void);
static void skip(void) {
    while (isspace((unsigned char)*at))
        at++;
}
static int accept(char c) {
    skip();
    if (*at != c)
        return 0;
    at++;
    return 1;
}
static double atom(void) {
    skip();
    if (accept('(')) {
        double v = sum();
        if (!accept(')'))
            failed = 1;
        return v;
    }
    if (accept('-'))
        return -atom();
    char *end;
    double v = strtod(at, &end);
    if (end == at)
        failed = 1;
    at = end;
    return v;
}
static double power(void) {
    double base = atom();
    if (accept('^')) {
        double e = power(), r = 1;
        for (int i = 0; i < (int)e; i++)
            r *= base;
        return r;
    }
    return base;
}
static double term(void) {
    double v = power();
    for (;;) {
        if (accept('*'))
            v *= power();
        else if (accept('/')) {
            double d = power();
            if (d == 0) {
                failed = 1;
                return 0;
            }
            v /= d;
        } else
            return v;
    }
}
static double sum(void) {
    double v = term();
    for (;;) {
        if (accept('+'))
            v += term();
        else if (accept('-'))
            v -= term();
        else
            return v;
    }
}

int main(void) {
    const char *lines[] = {"1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "-4 * -(2 + 1)", "10 / 4 - 1",
                           "2 * (3", "7 / (2 - 2)", "1.5e2 + .5", "* 3", "((((5))))", "8 - 3 - 2", ""};
    int errors = 0;
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
        at = lines[i];
        failed = 0;
        double v = sum();
        skip();
        if (failed || *at) {
            printf("%s: error at %d\n", lines[i], (int)(at - lines[i]));
            errors++;
        } else {
            printf("%s = %g\n", lines[i], v);
        }
    }
    return errors;
}
