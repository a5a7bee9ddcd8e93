//@ class: obligations
//@ args: prove --overflow
//@ never: exit 4
//@ never: proved bounds
struct s {
    int f, g[3];
};
int main(void) {
    struct s *p = 0;
    p->g;
    return 0;
}
