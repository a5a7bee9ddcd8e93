//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    int *p;
    {
        int y = 1;
        p = &y;
    }
    return *p;
}
