//@ class: contracts
//@ args: contract
//@ never: proved given
// The first pointer may lead to the float, whatever its type.
typedef int any_int __attribute__((may_alias));
/*@ requires p != \null; requires q != \null; ensures \result == 1; */
int both(any_int *p, float *q) { *p = 1; *q = 2.0f; return *p; }
