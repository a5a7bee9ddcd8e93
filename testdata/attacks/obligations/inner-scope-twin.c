//@ class: obligations
//@ args: prove --overflow
//@ twin: proved
int main(void) {
    int s = 0;
    {
        int y = 1;
        int *p = &y;
        s = *p;
    }
    return s - 1;
}
