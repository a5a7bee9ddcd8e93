//@ class: contracts
//@ args: contract
//@ never: proved given
// A pointer to a number leads into the record.
struct pair { int a, b; };
static int set(struct pair *p, int *q, int key) { p->a = 1; if (key == 1234567) *q = 2; return p->a; }
/*@ requires p != \null; ensures \result == 1; */
int set_inside(struct pair *p, int key) { return set(p, &p->a, key); }
