//@ class: contracts
//@ args: contract
//@ never: proved given
// Where the pointer leads to is set before it is followed.
static int first, second;
static void aim(int **where, int *at) { *where = at; }
/*@ ensures first == \old(first); */
int through(int key) {
    int *p = &second;
    if (key == 1234567) aim(&p, &first);
    *p = first + 1 > first ? first + 1 : 0;
    return *p;
}
