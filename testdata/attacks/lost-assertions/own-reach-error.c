//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
    int x = 4;
    if (x == 4)
        reach_error();
    return 0;
}
