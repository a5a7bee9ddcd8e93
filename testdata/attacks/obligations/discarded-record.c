//@ class: obligations
//@ args: prove --overflow
//@ never: exit 4
//@ never: proved bounds
struct s {
    int f, g[3];
};
static void look(struct s *p) { *p; }
int main(void) {
    look(0);
    return 0;
}
