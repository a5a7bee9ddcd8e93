//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ twin: holds
// That an error is set says nothing about the answers.
#include <errno.h>
int f(int a, int b) {
    if (a == b)
        errno = EDOM;
    return a < b ? a : b;
}
