//@ class: contracts
//@ args: contract
//@ never: proved given
// Two pointers in one place, of which one is to characters.
union two { int *number; char *text; };
/*@ ensures \result == 0; */
int both(char c) { int n = 0; union two u; u.number = &n; if (c == 77) u.text[0] = c; return n; }
