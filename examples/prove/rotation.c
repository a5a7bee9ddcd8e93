/* Three values that change places. x != y alone says nothing about the next round: it takes the rounds before to
   prove it (k = 3), or other invariants as lemmas. */
void vtrace1(int x, int y, int z);

int mainQ(int rounds) {
    int x = 1, y = 2, z = 3;
    while (1) {
        vtrace1(x, y, z);
        if (!(rounds > 0)) break;
        rounds = rounds - 1;
        int first = x;
        x = y;
        y = z;
        z = first;
    }
    return x;
}
