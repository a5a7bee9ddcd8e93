// A pointer to a nested function is called while the function around it runs.
static int apply(int (*f)(int), int n) { return f(n); }

static int use(int n) {
    int add(int m) { return n + m; }
    return apply(add, 4);
}

int main(void) { return use(3) != 7; }
