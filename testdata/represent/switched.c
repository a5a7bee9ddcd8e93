//~ sample: {"mode": 0, "n": 3, "x": [1, 2, 3, 4, 5, 6, 7, 8, 9]}
//~ variants: 24
//~ fields: mode, x (slack)
/* What the arms of a switch set is used behind it. */
void switched(int mode, int n, const int x[3 * n], int *length, int y[n])
{
    int base, step = 1;
    *length = n;
    switch (mode) {
    case 0:
        base = 0;
        break;
    case 1:
    case 2:
        base = n;
        break;
    default:
        base = 3 * n - 1;
        step = -1;
    }
    for (int i = 0; i < n; i++)
        y[i] = x[base + step * i];
}
