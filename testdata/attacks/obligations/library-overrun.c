//@ class: obligations
//@ args: prove --overflow
//@ never: proved call
#include <string.h>
int main(void) {
    char a[2];
    strcpy(a, "abcdef");
    return 0;
}
