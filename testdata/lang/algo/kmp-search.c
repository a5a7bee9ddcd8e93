// Knuth-Morris-Pratt and a rolling hash, compared with naive search.
#include <stdio.h>
#include <string.h>

static int kmp(const char *text, const char *pat, int *out) {
    int fail[32], n = 0, m = (int)strlen(pat);
    fail[0] = 0;
    for (int i = 1, k = 0; i < m; i++) {
        while (k && pat[i] != pat[k])
            k = fail[k - 1];
        if (pat[i] == pat[k])
            k++;
        fail[i] = k;
    }
    for (int i = 0, k = 0; text[i]; i++) {
        while (k && text[i] != pat[k])
            k = fail[k - 1];
        if (text[i] == pat[k])
            k++;
        if (k == m) {
            out[n++] = i - m + 1;
            k = fail[k - 1];
        }
    }
    return n;
}
static int rolling(const char *text, const char *pat, int *out) {
    unsigned n = (unsigned)strlen(text), m = (unsigned)strlen(pat), hp = 0, ht = 0, top = 1;
    int found = 0;
    if (m > n)
        return 0;
    for (unsigned i = 0; i < m; i++) {
        hp = hp * 257u + (unsigned char)pat[i];
        ht = ht * 257u + (unsigned char)text[i];
        if (i)
            top *= 257u;
    }
    for (unsigned i = 0;; i++) {
        if (hp == ht && memcmp(text + i, pat, m) == 0)
            out[found++] = (int)i;
        if (i + m >= n)
            return found;
        ht = (ht - (unsigned char)text[i] * top) * 257u + (unsigned char)text[i + m];
    }
}

int main(void) {
    const char *text = "abababcabababababcababcab";
    const char *pats[] = {"ab", "abab", "ababc", "cab", "zzz", "bababa", "a"};
    int score = 0;
    for (int i = 0; i < 7; i++) {
        int a[32], b[32];
        int n = kmp(text, pats[i], a), m = rolling(text, pats[i], b);
        printf("%s %d:", pats[i], n);
        for (int j = 0; j < n; j++)
            printf(" %d", a[j]);
        printf("\n");
        if (n != m || memcmp(a, b, (size_t)n * sizeof *a))
            return 1;
        score += n;
    }
    return score;
}
