/* 0 no triangle, 1 all sides differ, 2 two sides are equal, 3 all are. */
int triangle(int a, int b, int c)
{
    int kind;
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    if (a + b <= c || b + c <= a || a + c <= b)
        return 0;
    kind = 1;
    if (a == b)
        kind = kind + 1;
    if (b == c)
        kind = kind + 1;
    if (a == c && kind == 1)
        kind = kind + 1;
    return kind;
}
