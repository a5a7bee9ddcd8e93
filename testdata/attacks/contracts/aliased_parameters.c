//@ class: contracts
//@ args: contract
//@ never: proved given
// Both may be one object; nothing says that they are two.
struct pair { int a, b; };
static int grow(struct pair *p, struct pair *q) { p->a = 1; q->a = 2; return p->a; }
/*@ ensures \result == 1; */
int set_both(struct pair *p) { return grow(p, p); }
