//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
// The record is copied, and the pointer in it leads to what is kept from call to call.
static int calls;
static struct { int *at; } keeper = {&calls};
int f(int a, int b) {
    __typeof__(keeper) mine = keeper;
    return a + b + (++*mine.at == 2000000);
}
