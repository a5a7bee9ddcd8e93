//@ class: contracts
//@ args: contract
//@ twin: proved given
// Without that no defined call gives them one object.
/*@ requires p != \null; requires q != \null; ensures \result == 1; */
int both(int *p, float *q) { *p = 1; *q = 2.0f; return *p; }
