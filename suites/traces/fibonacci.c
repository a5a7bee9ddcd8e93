//~ inputs: n=0..20
// Fibonacci numbers: Cassini's identity, squared since its sign alternates. Two variables, degree 4: fifteen terms
// of which a run of 32-bit numbers shows twenty rows.
void vassume(int condition);
void vtrace1(int a, int b);

int mainQ(int n) {
    vassume(n >= 0 && n <= 20);
    int i = 0, a = 0, b = 1;
    while (1) {
        vtrace1(a, b);
        if (!(i < n)) break;
        int next = a + b;
        a = b;
        b = next;
        i++;
    }
    return 0;
}
