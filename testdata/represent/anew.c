//~ sample: {"n": 3, "gap": 1, "x": [1, 0, 2, 0, 3, 0]}
//~ variants: 24
//~ fields: gap, x (slack)
/* A local that is declared outside and set anew in each round. */
void anew(int n, int gap, const int x[n * (gap + 1)], int *count, int y[n])
{
    int t;
    *count = n;
    for (int i = 0; i < n; i++) {
        t = x[(gap + 1) * i];
        y[i] = t + 1;
    }
}
