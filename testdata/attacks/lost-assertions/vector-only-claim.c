//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
typedef int v4 __attribute__((vector_size(16)));
extern void reach_error(void);
void reach_error(void) { __builtin_trap(); }
int main(void) {
    v4 x = {1, 2, 3, 4};
    if (x[0] == 1)
        reach_error();
    return 0;
}
