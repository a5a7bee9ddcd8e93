// A call with too few arguments for the prototype in sight.
static int add(int a, int b, int c) {
    return a + b + c;
}

int main(void) {
    return add(1, 2);
}
