//@ class: obligations
//@ args: prove --overflow
//@ twin: proved overflow
#include <limits.h>
int main(void) {
    int a = INT_MIN + 1, b = -1;
    return a / b == 0;
}
