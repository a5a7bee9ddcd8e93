// strcmp, strncmp, memcmp: signs only, prefixes, embedded zero bytes and high bytes.
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    const char *w[] = {"", "a", "ab", "abc", "b", "B", "\xff", "abd"};
    int n = sizeof w / sizeof *w, sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            printf("%2d", sign(strcmp(w[i], w[j])));
        printf("\n");
    }
    printf("%d %d %d\n", sign(strncmp("abcx", "abcy", 3)), sign(strncmp("abcx", "abcy", 4)), strncmp("x", "y", 0));
    printf("%d\n", sign(strncmp("ab", "ab\0z", 10)));
    printf("%d %d\n", sign(memcmp("a\0b", "a\0c", 3)), memcmp("a\0b", "a\0c", 2));
    unsigned char hi[] = {200, 1}, lo[] = {100, 2};
    printf("%d\n", sign(memcmp(hi, lo, 2)));
    for (int i = 0; i < n; i++)
        sum += !strcmp(w[i], "ab") * 10 + !strncmp(w[i], "ab", 2);
    printf("%d %d\n", strcmp("same", "same"), sum);
    return sum;
}
