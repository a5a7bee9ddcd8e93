// Permutations by swapping, next-permutation in lexical order, and combinations.
#include <stdio.h>
#include <string.h>

static int total;

static void permute(char *s, int k, int n) {
    if (k == n) {
        total++;
        if (total % 5 == 1)
            printf("%s ", s);
        return;
    }
    for (int i = k; i < n; i++) {
        char t = s[k];
        s[k] = s[i];
        s[i] = t;
        permute(s, k + 1, n);
        t = s[k];
        s[k] = s[i];
        s[i] = t;
    }
}
static int next(char *s, int n) {
    int i = n - 2;
    while (i >= 0 && s[i] >= s[i + 1])
        i--;
    if (i < 0)
        return 0;
    int j = n - 1;
    while (s[j] <= s[i])
        j--;
    char t = s[i];
    s[i] = s[j];
    s[j] = t;
    for (int a = i + 1, b = n - 1; a < b; a++, b--) {
        t = s[a];
        s[a] = s[b];
        s[b] = t;
    }
    return 1;
}
static void choose(int from, int n, int k, unsigned mask) {
    if (k == 0) {
        printf("%x ", mask);
        return;
    }
    for (int i = from; i <= n - k; i++)
        choose(i + 1, n, k - 1, mask | 1u << i);
}

int main(void) {
    char s[] = "abcd";
    permute(s, 0, 4);
    printf("\n%d\n", total);
    char m[] = "1123";
    int n = 0;
    do {
        printf("%s ", m);
        n++;
    } while (next(m, 4));
    printf("\n%d\n", n);
    choose(0, 5, 3, 0);
    printf("\n");
    return total + n;
}
