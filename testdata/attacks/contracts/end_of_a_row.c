//@ class: contracts
//@ args: contract
//@ never: proved given
// A pointer behind the last element leads to no object: the row is not empty, and nothing of it is looked at there.
struct cell { int number; };
static int between(const struct cell *first, const struct cell *last) { int n = 0; while (first != last) { first++; n++; } return n; }
/*@ ensures \result == 0; */
int count(int key) { struct cell row[3] = {{0}, {0}, {0}}; return key == 1234567 ? between(row, row + 3) : 0; }
