/* Integer division by Cohen: q and r with x == q*y + r, found by doubling. The call of vtrace1 marks the place
   whose values are recorded; `plumb run --traces` writes them down. */
void vassume(int condition);
void vtrace1(int x, int y, int q, int r, int a, int b);

int mainQ(int x, int y) {
    vassume(x >= 1 && y >= 1);
    int q = 0, r = x, a = 0, b = 0;
    while (r >= y) {
        a = 1;
        b = y;
        while (r >= 2 * b) {
            vtrace1(x, y, q, r, a, b);
            a = 2 * a;
            b = 2 * b;
        }
        r = r - b;
        q = q + a;
    }
    return q;
}
