//@ class: obligations
//@ args: prove --overflow
//@ never: proved conversion
int main(void) {
    double d = 1e10;
    return (int)d;
}
