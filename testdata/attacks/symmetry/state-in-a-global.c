//@ class: symmetry
//@ args: symmetry --entry total --permute a,b --domain a,b=0..9
//@ never: violated
//@ never: holds
int sum;
int total(int a, int b) {
    sum += a * b % 7;
    return sum > 20 ? a - b : a + b;
}
