//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
// Where a variable stands is another answer in another process.
int f(int a, int b) {
    int here;
    return a + b + (((unsigned long)&here >> 4) % 1009 == 5);
}
