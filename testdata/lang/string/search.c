// strchr, strrchr, strstr, strspn, strcspn, strpbrk and memchr, with found and not-found results.
#include <stdio.h>
#include <string.h>

static int at(const char *base, const char *p) { return p ? (int)(p - base) : -1; }

int main(void) {
    const char *s = "the cat sat on the mat";
    printf("%d %d %d\n", at(s, strchr(s, 'a')), at(s, strrchr(s, 'a')), at(s, strchr(s, 'z')));
    printf("%d %d\n", at(s, strchr(s, '\0')), at(s, strrchr(s, '\0')));
    printf("%d %d %d %d\n", at(s, strstr(s, "sat")), at(s, strstr(s, "")), at(s, strstr(s, "mats")), at(s, strstr(s, "the m")));
    printf("%zu %zu %zu\n", strspn(s, "eht "), strspn(s, "xyz"), strspn(s, "abcdefghijklmnopqrstuvwxyz "));
    printf("%zu %zu %zu\n", strcspn(s, "s"), strcspn(s, "z"), strcspn(s, "t"));
    printf("%d %d\n", at(s, strpbrk(s, "os")), at(s, strpbrk(s, "?!")));
    printf("%d %d\n", at(s, memchr(s, 'o', 22)), at(s, memchr(s, 'o', 5)));
    const char bytes[] = {1, 0, 2, 0, 3};
    printf("%d %d\n", at(bytes, memchr(bytes, 0, 5)), at(bytes, memchr(bytes, 3, 5)));
    int count = 0;
    for (const char *p = s; (p = strstr(p, "at")) != NULL; p += 2)
        count++;
    printf("%d\n", count);
    printf("%zu %zu\n", strlen(s), strnlen(s, 7));
    return count * 10 + at(s, strstr(s, "on"));
}
