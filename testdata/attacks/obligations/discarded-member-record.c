//@ class: obligations
//@ args: prove --overflow
//@ never: exit 4
//@ never: proved bounds
struct s {
    int f;
    union { int a; float b; } in;
};
int main(void) {
    struct s *p = 0;
    (void)p->in;
    return 0;
}
