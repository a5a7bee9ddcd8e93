//@ class: conventions
//@ args: prove
//@ never: proved
//@ twin: refuted assert
int main(void) {
    int x = nondet_int();
    assert(x != 12345);
    return 0;
}
