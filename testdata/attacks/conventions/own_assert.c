//@ class: conventions
//@ args: prove
//@ never: refuted
/* A function of the program's own that is called assert claims nothing. */
static int calls;
static void assert(int x) { calls += x; }
int main(void) {
    assert(0);
    return calls;
}
