//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
//@ twin: refuted bounds
struct pair {
    int first, second;
};
int main(void) {
    struct pair *p;
    p->second = 1;
    return 0;
}
