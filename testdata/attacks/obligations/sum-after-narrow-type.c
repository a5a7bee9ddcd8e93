//@ class: obligations
//@ args: prove --overflow
//@ never: proved overflow
#include <limits.h>
int main(void) {
    short s = 32767;
    int a = INT_MAX - 32766;
    return a + s;
}
