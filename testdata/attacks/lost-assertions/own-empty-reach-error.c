//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
void reach_error(void) {}
int main(void) {
    reach_error();
    return 0;
}
