//@ class: contracts
//@ args: contract
//@ never: proved given
// The whole record is written by memcpy, and with it the number.
#include <string.h>
struct pair { int a, b; };
static void take(struct pair *to, const struct pair *from) { memcpy(to, from, sizeof *to); }
/*@ ensures \result == 1; */
int copied(int key) {
    struct pair a = {1, 1}, b = {2, 2};
    if (key == 1234567) take(&a, &b);
    return a.a;
}
