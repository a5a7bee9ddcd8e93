//@ class: contracts
//@ args: contract
//@ never: proved given
// The parameter may lead to the global that is written by its name.
struct pair { int a, b; };
struct pair shared;
static int set(struct pair *p, int key) { p->a = 1; if (key == 1234567) shared.a = 2; return p->a; }
/*@ ensures \result == 1; */
int set_shared(int key) { return set(&shared, key); }
