//~ inputs: a=-30..30 b=-30..30 n=0..30
// Two counters that move at different speeds, and the area between them.
void vassume(int condition);
void vtrace1(int a, int b, int x, int y, int k);

int mainQ(int a, int b, int n) {
    vassume(n >= 0 && n <= 80 && a >= -100 && a <= 100 && b >= -100 && b <= 100);
    int x = a, y = b, k = 0;
    while (1) {
        vtrace1(a, b, x, y, k);
        if (!(k < n)) break;
        x = x + 3;
        y = y - 2;
        k++;
    }
    return 0;
}
