//@ class: conventions
//@ args: prove
//@ never: exit 0
int main(void) { return 0; }
