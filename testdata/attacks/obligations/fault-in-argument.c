//@ class: obligations
//@ args: prove --overflow
//@ never: refuted call
//@ never: proved division-by-zero
/* The argument is undefined for one input; no call asks anything wrong. */
#include <string.h>
extern int nondet_int(void);
int main(void) {
    int x = nondet_int();
    char text[4] = "abc";
    return strlen(&text[x == 5 ? 1 / (x - 5) : 1]) == 3;
}
