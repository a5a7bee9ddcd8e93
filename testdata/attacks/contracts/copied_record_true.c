//@ class: contracts
//@ args: contract
//@ twin: proved given
struct pair { int a, b; };
static void take(struct pair *to, const struct pair *from) { *to = *from; }
/*@ ensures \result == 2; */
int copied(void) { struct pair a = {1, 1}, b = {2, 2}; take(&a, &b); return a.a; }
