// The other half of the recursion.
int odd_a(unsigned n);
static int calls;
int even_b(unsigned n) {
    calls++;
    return n == 0 ? 1 : odd_a(n - 1);
}
int b_calls(void) { return calls; }
