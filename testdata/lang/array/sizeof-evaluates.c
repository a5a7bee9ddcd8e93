// The operand of sizeof is evaluated where its type has a variable length, and only there.
#include <stdio.h>
int main(void) {
    int n = 4, k = 0, j = 0, plain[3] = {0};
    int a[n][n + 1];
    size_t z = sizeof(a[k++]);
    size_t y = sizeof(plain[j++]) + sizeof(a[1][j++]);
    printf("%zu %zu %d %d %zu\n", z, y, k, j, sizeof a);
    return 0;
}
