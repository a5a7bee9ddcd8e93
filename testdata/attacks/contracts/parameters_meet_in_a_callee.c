//@ class: contracts
//@ args: contract
//@ never: proved given
// The callee's promise holds for two objects; the caller has one.
struct pair { int a, b; };
static int grow(struct pair *p, struct pair *q, int key) { p->a = 1; if (key == 1234567) q->a = 2; return p->a; }
/*@ requires p != \null; ensures \result == 1; */
int set_both(struct pair *p, int key) { return grow(p, p, key); }
