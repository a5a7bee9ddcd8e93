/* Example 2 of the source: x1 is bound to *y2 - x2 until the second statement determines x2. */
void example2(int x1, int x2, int *y1, int *y2)
{
    *y2 = x1 + x2;
    *y1 = x1 - x2;
}
