//~ inputs: n=0..60
// Triangular and tetrahedral numbers.
void vassume(int condition);
void vtrace1(int i, int t, int v);

int mainQ(int n) {
    vassume(n >= 0 && n <= 100);
    int i = 0, t = 0, v = 0;
    while (1) {
        vtrace1(i, t, v);
        if (!(i < n)) break;
        i++;
        t = t + i;
        v = v + t;
    }
    return 0;
}
