/* Example 4 of the source: a loop over arrays. */
void example4(const int x1[10], const int x2[10], int y1[10], int y2[10])
{
    for (int i = 0; i < 10; i++) {
        y1[i] = x1[i];
        y2[i] = x1[i] + x2[i];
    }
}
