//~ inputs: n=0..14
// Convergents of the square root of two: x^2 - 2*y^2 alternates between 1 and -1.
void vassume(int condition);
void vtrace1(int x, int y);

int mainQ(int n) {
    vassume(n >= 0 && n <= 14);
    int i = 0, x = 1, y = 0;
    while (1) {
        vtrace1(x, y);
        if (!(i < n)) break;
        int next = x + 2 * y;
        y = x + y;
        x = next;
        i++;
    }
    return 0;
}
