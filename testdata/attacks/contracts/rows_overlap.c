//@ class: contracts
//@ args: contract
//@ never: proved given
// The rows may overlap, and then the copy changes what is still to be read.
/*@ requires a != \null && b != \null; ensures \result == 0; */
int shift(int *a, int *b, int key) {
    int old = b[0];
    if (key == 1234567) a[1] = old + (old < 5);
    return b[0] != old;
}
