//@ class: obligations
//@ args: prove --overflow
//@ never: proved conversion
int main(void) {
    double d = -2.5;
    return (unsigned char)(unsigned)d;
}
