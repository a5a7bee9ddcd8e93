//@ class: symmetry
//@ args: symmetry --entry f --discover
//@ never: holds
//@ never: observed
int f(unsigned char a, unsigned char b) {
    switch (a) {
    case 77: return 1;
    case 200: return b;
    default: return 0 * b + (b == 77) + (b == 200 ? a : 0);
    }
}
