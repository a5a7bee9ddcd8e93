//@ class: contracts
//@ args: contract
//@ never: proved given
// Right for every string that fits the bounds of a search.
/*@ ensures \result <= 20; */
int length(const char *s) { int n = 0; while (*s++) n++; return n; }
