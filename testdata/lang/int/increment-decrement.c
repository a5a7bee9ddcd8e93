// Prefix and postfix ++ and -- on every integer type, bit-fields and floats.
#include <stdbool.h>
#include <stdio.h>

struct bits {
    unsigned u : 3;
    signed s : 4;
};

int main(void) {
    char c = 126;
    unsigned char uc = 255;
    short s = -1;
    unsigned long ul = 0;
    float f = 0.5f;
    double d = -0.25;
    bool b = false;
    struct bits bf = {7, -8};
    printf("%d\n", c++);
    printf("%d\n", c);
    printf("%d\n", ++uc);
    printf("%d\n", s++);
    printf("%d\n", s);
    printf("%d\n", --s);
    printf("%lu\n", ul--);
    printf("%lu\n", ul);
    printf("%g\n", f++);
    printf("%g\n", f);
    printf("%g\n", --d);
    printf("%d\n", b++);
    printf("%d\n", ++b);
    printf("%d\n", b--);
    printf("%d\n", b);
    printf("%d\n", bf.u++);
    printf("%d\n", bf.u--);
    printf("%d\n", bf.u);
    printf("%d\n", bf.s++);
    printf("%d\n", ++bf.s);
    int array[4] = {1, 2, 3, 4};
    int *p = array;
    int x = *p++;
    x += *++p;
    printf("%d %d\n", x, (int)(p - array));
    x = (*p)++;
    printf("%d %d\n", x, *p);
    x = --*p--;
    printf("%d %d\n", x, *p);
    enum color { RED, GREEN, BLUE } col = RED;
    col++;
    ++col;
    printf("%d\n", col == BLUE);
    return bf.u + array[2];
}
