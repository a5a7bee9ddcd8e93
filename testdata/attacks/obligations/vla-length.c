//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    int n = 0;
    int a[n];
    return sizeof a != 0;
}
