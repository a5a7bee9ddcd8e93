//@ class: obligations
//@ args: prove --overflow
//@ never: proved overflow
#include <limits.h>
#include <stdlib.h>
int main(void) {
    int a = INT_MIN;
    return abs(a);
}
