// Dynamic programming: knapsack, longest common subsequence, edit distance and coin change.
#include <stdio.h>
#include <string.h>

static int max(int a, int b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }

static int knapsack(const int *w, const int *v, int n, int cap) {
    int best[101] = {0};
    for (int i = 0; i < n; i++)
        for (int c = cap; c >= w[i]; c--)
            best[c] = max(best[c], best[c - w[i]] + v[i]);
    return best[cap];
}
static int lcs(const char *a, const char *b, char *out) {
    int n = (int)strlen(a), m = (int)strlen(b);
    int t[n + 1][m + 1];
    for (int i = n; i >= 0; i--)
        for (int j = m; j >= 0; j--)
            t[i][j] = i == n || j == m ? 0 : a[i] == b[j] ? t[i + 1][j + 1] + 1 : max(t[i + 1][j], t[i][j + 1]);
    for (int i = 0, j = 0; i < n && j < m;) {
        if (a[i] == b[j]) {
            *out++ = a[i++];
            j++;
        } else if (t[i + 1][j] >= t[i][j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    *out = '\0';
    return t[0][0];
}
static int distance(const char *a, const char *b) {
    int m = (int)strlen(b), row[m + 1];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diag = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int up = row[j];
            row[j] = min(min(row[j], row[j - 1]) + 1, diag + (a[i - 1] != b[j - 1]));
            diag = up;
        }
    }
    return row[m];
}

int main(void) {
    int w[] = {12, 7, 11, 8, 9}, v[] = {24, 13, 23, 15, 16};
    printf("%d\n", knapsack(w, v, 5, 26));
    char common[32];
    int n = lcs("AGGTABXQ", "GXTXAYBQ", common);
    printf("%d %s\n", n, common);
    printf("%d %d %d\n", distance("kitten", "sitting"), distance("", "abc"), distance("same", "same"));
    int coins[] = {1, 5, 10, 25, 50}, ways[101] = {1};
    for (int i = 0; i < 5; i++)
        for (int c = coins[i]; c <= 100; c++)
            ways[c] += ways[c - coins[i]];
    printf("%d\n", ways[100]);
    return knapsack(w, v, 5, 26);
}
