//@ class: obligations
//@ args: prove --overflow
//@ never: proved call
#include <string.h>
int main(void) {
    const char *s = 0;
    return (int)strlen(s);
}
