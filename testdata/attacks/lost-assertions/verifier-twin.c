//@ class: lost-assertions
//@ args: prove
//@ twin: proved
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
    int x = 4;
    if (x == 5)
        reach_error();
    return 0;
}
