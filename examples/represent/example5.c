/* Example 5 of the source: x[i] was determined three rounds before, or is free. */
void example5(const int x[13], int y[10])
{
    for (int i = 0; i < 10; i++)
        y[i] = x[i] + x[i + 3];
}
