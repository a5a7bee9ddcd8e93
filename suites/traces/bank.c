//~ inputs: p=0..500 r=0..50 f=0..20 n=0..20
// Simple interest in thousandths, with a fee for every round.
void vassume(int condition);
void vtrace1(int p, int r, int f, int t, int b);

int mainQ(int p, int r, int f, int n) {
    vassume(p >= 0 && p <= 2000 && r >= 0 && r <= 100 && f >= 0 && f <= 50 && n >= 0 && n <= 60);
    int t = 0, b = 1000 * p;
    while (1) {
        vtrace1(p, r, f, t, b);
        if (!(t < n)) break;
        b = b + p * r - 1000 * f;
        t++;
    }
    return 0;
}
