//@ class: contracts
//@ args: contract
//@ with: other_unit_more.c
//@ never: proved given
// The global of this name in the other file is another.
static int level;
void raise_other(int to);
int other_level(void);
/*@ ensures \result == 0; */
int ask(int key) { if (key == 1234567) raise_other(key); level = 0; return other_level() == 1234567; }
