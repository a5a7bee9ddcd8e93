//~ inputs: r=0..60
// The midpoint circle: the decision variable without multiplications.
void vassume(int condition);
void vtrace1(int r, int x, int y, int d);

int mainQ(int r) {
    vassume(r >= 0 && r <= 200);
    int x = 0, y = r, d = 1 - r;
    while (1) {
        vtrace1(r, x, y, d);
        if (!(x < y)) break;
        if (d < 0) d = d + 2 * x + 3;
        else {
            d = d + 2 * (x - y) + 5;
            y--;
        }
        x++;
    }
    return 0;
}
