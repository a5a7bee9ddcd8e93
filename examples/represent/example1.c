/* Example 1 of the source: each input is determined in turn. */
void example1(int x1, int x2, int *y1, int *y2)
{
    *y1 = x1;
    *y2 = x1 + x2;
}
