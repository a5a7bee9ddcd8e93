//@ class: contracts
//@ args: contract
//@ never: proved given
// Another value at every look.
struct port { volatile int status; };
/*@ requires p != \null; ensures \result == 0; */
int twice(struct port *p) { int first = p->status; int again = p->status; return first != again; }
