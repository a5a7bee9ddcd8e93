//@ class: reach
//@ args: reach --all-branches
//@ never: exit 0
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int c = getchar();
    if (c == 'x') abort();
    return 0;
}
