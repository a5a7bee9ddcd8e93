// strtod, strtof and atof: forms, exponents, end pointers, inf and nan.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *s) {
    char *end;
    double v = strtod(s, &end);
    printf("\"%s\" = %.12g, rest \"%s\"\n", s, v, end);
}

int main(void) {
    show("3.25");
    show("  -0.5e2x");
    show("1e3");
    show("1e");
    show(".5");
    show("5.");
    show(".");
    show("+7");
    show("0x1.8p3");
    show("inf");
    show("-INFINITY!");
    show("1e-5");
    show("123456789.125");
    show("word");
    printf("%d\n", isnan(strtod("nan", NULL)) != 0);
    printf("%.9g %.9g\n", strtof("0.1", NULL), strtof("16777217", NULL));
    printf("%g %g\n", atof("2.5kg"), atof("none"));
    return (int)atof("41.9");
}
