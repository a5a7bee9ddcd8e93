//@ class: obligations
//@ args: prove --overflow
//@ never: proved overflow
#include <limits.h>
int main(void) {
    int a = INT_MAX;
    if (a++)
        return 1;
    return 0;
}
