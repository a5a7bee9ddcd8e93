/* A faulty kind of a triangle by the lengths of its sides: 1 scalene, 2 isosceles, 3 equilateral, 4 none.
   The order of the sides makes no difference: Ψ3,1. */
int trityp(int i, int j, int k) {
    int kind = 0;
    if (i <= 0 || j <= 0 || k <= 0)
        return 4;
    if (i == j)
        kind = kind + 1;
    if (i == k)
        kind = kind + 2;
    if (j == k)
        kind = kind + 3;
    if (kind == 0) {
        if (i + j <= k || j + k <= i || i + k <= j)
            return 4;
        return 1;
    }
    if (kind > 3)
        return 3;
    if (kind == 1 && i + j > k)
        return 2;
    if (kind == 2 && i + j > k)
        return 2;
    if (kind == 3 && j + k > i)
        return 2;
    return 4;
}
