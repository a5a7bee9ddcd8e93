//~ inputs: n=0..40
// Sums of i, i^2 and i*(n - i), together.
void vassume(int condition);
void vtrace1(int n, int i, int s, int q, int m);

int mainQ(int n) {
    vassume(n >= 0 && n <= 100);
    int i = 0, s = 0, q = 0, m = 0;
    while (1) {
        vtrace1(n, i, s, q, m);
        if (!(i < n)) break;
        i++;
        s = s + i;
        q = q + i * i;
        m = m + i * (n - i);
    }
    return 0;
}
