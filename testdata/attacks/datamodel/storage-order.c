//@ class: datamodel
//@ args: prove
//@ never: proved
#include <assert.h>
struct s { int x; } __attribute__((scalar_storage_order("big-endian"))) object;
union { struct s s; unsigned char b[4]; } u;

int main(void)
{
    u.s.x = 1;
    assert(u.b[0] == 1);
    return 0;
}
