//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
union u { int a[2]; long l; };
int main(void) {
    union u v;
    int i = 5;
    v.l = 0;
    return v.a[i];
}
