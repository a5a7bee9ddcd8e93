// What a function does to arrays: `plumb infer transpose.c --entry transpose` gives it matrices of the declared sizes
// and finds `b[i][j] == a[j][i]`, which it then proves.
void transpose(const int a[3][4], int b[4][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            b[j][i] = a[i][j];
}

// `--entry shuffle`: an element looked up by an element, r[i] == a[and(p[i], 7)].
void shuffle(const int a[8], const int p[8], int r[8]) {
    for (int i = 0; i < 8; i++)
        r[i] = a[p[i] & 7];
}
