//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
struct __attribute__((packed)) s { char c; int i; };
int main(void) {
    struct s v = {1, 2};
    int *p = &v.i;
    return *p;
}
