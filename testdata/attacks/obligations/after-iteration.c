//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    int *p = 0, i, s = 0;
    for (i = 0; i < 2; i++) {
        int y[2] = {i, 1};
        if (p)
            s += *p;
        p = y;
    }
    return s;
}
