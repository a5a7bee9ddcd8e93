/* The middle of three numbers, with a mistake: b is given where a should be. */
#include <assert.h>

int mainQ(int a, int b, int c) {
    int middle = c;
    if (b < c) {
        if (a < b) middle = b;
        else if (a < c) middle = b;
    } else if (a > b) {
        middle = b;
    } else if (a > c) {
        middle = a;
    }
    assert(!(middle < a && middle < c));
    assert(!(middle > a && middle > c));
    return middle;
}
