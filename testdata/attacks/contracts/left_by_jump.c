//@ class: contracts
//@ args: contract
//@ never: proved given
// The call comes back by another door.
#include <setjmp.h>
static jmp_buf door;
static int leave(int key) { if (key == 1234567) longjmp(door, 2); return 1; }
/*@ ensures \result == 1; */
int enter(int key) { int way = setjmp(door); if (way) return way; return leave(key); }
