//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    char *p = "abc";
    *p = 1;
    return 0;
}
