//@ class: obligations
//@ args: prove --overflow
//@ never: proved call
#include <stdio.h>
int main(void) {
    printf("%s\n", 3);
    return 0;
}
