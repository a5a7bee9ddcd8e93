//@ class: symmetry
//@ args: symmetry --entry f --permute a,b,c
//@ never: holds
//@ never: exit 101
// The largest numbers are beyond every whole number that a bound can be.
float f(float a, float b, float c) {
    return a + b + c;
}
