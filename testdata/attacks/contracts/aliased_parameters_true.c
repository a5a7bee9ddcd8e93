//@ class: contracts
//@ args: contract
//@ twin: proved given
struct pair { int a, b; };
static int grow(struct pair *p, struct pair *q) { p->a = 1; q->a = 2; return p->a; }
/*@ ensures \result == 2; */
int set_both(struct pair *p) { return grow(p, p); }
