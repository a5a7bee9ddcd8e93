// The Mandelbrot set in ASCII with doubles, and in fixed point with the same picture size.
#include <stdio.h>

static int iterate(double cx, double cy) {
    double x = 0, y = 0;
    int n = 0;
    while (x * x + y * y < 4 && n < 40) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    return n;
}
static int fixed(int cx, int cy) {
    int x = 0, y = 0, n = 0;
    for (; n < 40; n++) {
        int xx = (int)((long)x * x >> 12), yy = (int)((long)y * y >> 12);
        if (xx + yy >= 4 << 12)
            break;
        int t = xx - yy + cx;
        y = (int)((long)x * y >> 11) + cy;
        x = t;
    }
    return n;
}

int main(void) {
    const char shade[] = " .:-=+*#%@";
    int inside = 0, inside_fixed = 0;
    for (int r = 0; r < 17; r++) {
        for (int c = 0; c < 48; c++) {
            int n = iterate(c / 16.0 - 2.25, r / 8.0 - 1.0);
            putchar(shade[n * 9 / 40]);
            inside += n == 40;
            inside_fixed += fixed(c * 256 - 9216, r * 512 - 4096) == 40;
        }
        putchar('\n');
    }
    printf("%d %d\n", inside, inside_fixed);
    return inside % 126;
}
