//@ class: datamodel
//@ args: prove
//@ never: proved
#include <assert.h>
#pragma scalar_storage_order big-endian
union { struct { int x; } s; unsigned char b[4]; } u;

int main(void)
{
    u.s.x = 1;
    assert(u.b[0] == 1);
    return 0;
}
