/* How n*m numbers are cut into n pieces of m does not matter to what they are. */
void sum(int n, int m, const int x[n * m], int y[n * m])
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            y[k] = x[m * i + j];
            k = k + 1;
        }
}
