//~ inputs: n=0..20000
// Hours, minutes and seconds of a number of seconds.
void vassume(int condition);
void vtrace1(int n, int h, int m, int s);

int mainQ(int n) {
    vassume(n >= 0 && n <= 400000);
    int h = 0, m = 0, s = n;
    while (1) {
        vtrace1(n, h, m, s);
        if (!(s >= 60)) break;
        if (s >= 3600) {
            s = s - 3600;
            h++;
        } else {
            s = s - 60;
            m++;
        }
    }
    return 0;
}
