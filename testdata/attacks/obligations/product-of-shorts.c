//@ class: obligations
//@ args: prove --overflow
//@ never: proved overflow
int main(void) {
    unsigned short a = 65535;
    return a * a;
}
