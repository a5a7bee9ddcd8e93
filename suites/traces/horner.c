//~ inputs: a=-20..20 b=-20..20 c=-20..20 n=0..30
// A quadratic polynomial and its value, as in finite differences.
void vassume(int condition);
void vtrace1(int a, int b, int c, int x, int v, int d);

int mainQ(int a, int b, int c, int n) {
    vassume(n >= 0 && n <= 100 && a >= -50 && a <= 50 && b >= -50 && b <= 50);
    int x = 0, v = c, d = a + b;
    while (1) {
        vtrace1(a, b, c, x, v, d);
        if (!(x < n)) break;
        v = v + d;
        d = d + 2 * a;
        x++;
    }
    return 0;
}
