//@ class: symmetry
//@ args: symmetry --entry counter --permute a,b --domain a,b=0..9
//@ never: violated
//@ never: holds
/* Every third call forgets an argument: two calls of one process disagree, two processes never. */
int counter(int a, int b) {
    static int calls;
    return ++calls % 3 ? a + b : a;
}
