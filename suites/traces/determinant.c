//~ inputs: a=-9..9 b=-9..9 c=-9..9 d=-9..9 n=0..6
// Row operations on a matrix of two rows keep its determinant.
void vassume(int condition);
void vtrace1(int a, int b, int c, int d, int e);

int mainQ(int a, int b, int c, int d, int n) {
    vassume(n >= 0 && n <= 8 && a >= -20 && a <= 20 && b >= -20 && b <= 20 && c >= -20 && c <= 20 && d >= -20 && d <= 20);
    int i = 0, e = a * d - b * c;
    while (1) {
        vtrace1(a, b, c, d, e);
        if (!(i < n)) break;
        if (i % 2 == 0) {
            a = a + c;
            b = b + d;
        } else {
            c = c - a;
            d = d - b;
        }
        i++;
    }
    return 0;
}
