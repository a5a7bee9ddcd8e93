//@ class: contracts
//@ args: contract
//@ never: proved given
// Induction on a contract in which both parameters may be one.
struct pair { unsigned a, b; };
/*@ requires p != \null && q != \null; ensures p->a == \old(p->a); */
void sink(struct pair *p, struct pair *q, unsigned n) {
    if (n == 0) return;
    if (n == 1234567) { sink(p, p, 0); q->a = 1; return; }
    sink(p, q, 0);
}
