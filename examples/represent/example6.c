/* Example 6 of the source: an index from another array; no element may be asked for twice. */
void example6(const int x1[8], const int x2[20], int y[8])
{
    for (int i = 0; i < 8; i++)
        y[i] = x2[x1[i]];
}
