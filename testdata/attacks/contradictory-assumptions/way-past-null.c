//@ class: contradictory-assumptions
//@ args: prove --overflow
//@ never: vacuous
/* Where the pointer leads to an object nothing is asked of the access, and control goes on. */
extern int nondet_int(void);
static int value;
int main(void) {
    int *p = 0;
    if (nondet_int()) p = &value;
    int x = *p;
    return 10 / (x + 1);
}
