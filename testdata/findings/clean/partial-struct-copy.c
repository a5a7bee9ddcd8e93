// Copying a struct whose second half was never set is allowed, as long as that half is not read.
#include <stdio.h>
#include <string.h>

struct half { int set; char rest[28]; };

int main(void) {
    struct half a, b, c;
    a.set = 11;
    b = a;
    memcpy(&c, &b, sizeof c);
    printf("%d %d\n", b.set, c.set);
    strcpy(c.rest, "now set");
    printf("%s\n", c.rest);
    return c.set;
}
