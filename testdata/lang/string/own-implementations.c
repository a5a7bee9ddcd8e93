// Hand-written string functions compared with the library on many inputs.
#include <stdio.h>
#include <string.h>

static size_t my_strlen(const char *s) {
    const char *p = s;
    while (*p)
        ++p;
    return (size_t)(p - s);
}
static int my_strcmp(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}
static char *my_strcpy(char *d, const char *s) {
    char *r = d;
    while ((*d++ = *s++))
        ;
    return r;
}
static const char *my_strstr(const char *h, const char *n) {
    for (;; h++) {
        const char *a = h, *b = n;
        while (*b && *a == *b)
            a++, b++;
        if (!*b)
            return h;
        if (!*h)
            return NULL;
    }
}
static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    const char *w[] = {"", "a", "aa", "aab", "aabaab", "b", "baab", "zebra"};
    int bad = 0, checks = 0;
    for (int i = 0; i < 8; i++) {
        bad += my_strlen(w[i]) != strlen(w[i]);
        char buf[16];
        bad += strcmp(my_strcpy(buf, w[i]), w[i]) != 0;
        for (int j = 0; j < 8; j++) {
            bad += sign(my_strcmp(w[i], w[j])) != sign(strcmp(w[i], w[j]));
            bad += my_strstr(w[i], w[j]) != strstr(w[i], w[j]);
            checks += 2;
        }
    }
    printf("%d checks, %d wrong\n", checks, bad);
    return bad ? 1 : checks % 126;
}
