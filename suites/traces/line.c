//~ inputs: w=1..80 h=0..80
// Bresenham's line: the error term is the distance from the line.
void vassume(int condition);
void vtrace1(int w, int h, int x, int y, int e);

int mainQ(int w, int h) {
    vassume(w >= 1 && w <= 200 && h >= 0 && h <= w);
    int x = 0, y = 0, e = 2 * h - w;
    while (1) {
        vtrace1(w, h, x, y, e);
        if (!(x < w)) break;
        if (e > 0) {
            y++;
            e = e - 2 * w;
        }
        e = e + 2 * h;
        x++;
    }
    return 0;
}
