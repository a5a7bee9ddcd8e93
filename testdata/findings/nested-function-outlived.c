// A pointer to a nested function is called after the function around it has returned.
static int (*kept)(int);

static void make(int n) {
    int add(int m) { return n + m; } //~ ERROR use-after-scope
    kept = add;
}

int main(void) {
    make(3);
    return kept(4);
}
