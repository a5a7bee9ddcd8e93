/* Example 3 of the source: what one branch determines the other must choose, so that the last line can hold. */
void example3(int x1, int x2, int x3, int x4, int *y1, int *y2, int *y3)
{
    if (x1 > 0)
        *y1 = x2;
    else
        *y1 = x3;
    *y2 = x3 + x4;
    *y3 = x2;
}
