//~ inputs: n=0..12 u=-9..9 v=-9..9
// Powers of a complex number by a fixed one: the norm is multiplied by 5 in each round.
void vassume(int condition);
void vtrace1(int u, int v, int x, int y, int p);

int mainQ(int n, int u, int v) {
    vassume(n >= 0 && n <= 8 && u >= -20 && u <= 20 && v >= -20 && v <= 20);
    int i = 0, x = u, y = v, p = 1;
    while (1) {
        vtrace1(u, v, x, y, p);
        if (!(i < n)) break;
        int next = 2 * x - y;
        y = x + 2 * y;
        x = next;
        p = 5 * p;
        i++;
    }
    return 0;
}
