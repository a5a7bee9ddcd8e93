// A small regular-expression matcher with literals, dot, star, plus, question mark, classes and anchors.
#include <stdio.h>

static int here(const char *re, const char *s);

static int class_end(const char *re) {
    int i = 1;
    while (re[i] && re[i] != ']')
        i++;
    return i + 1;
}
static int unit(const char *re) { return *re == '[' ? class_end(re) : *re == '\\' ? 2 : 1; }
static int single(const char *re, char c) {
    if (!c)
        return 0;
    if (*re == '.')
        return 1;
    if (*re == '\\')
        return re[1] == 'd' ? c >= '0' && c <= '9' : re[1] == c;
    if (*re != '[')
        return *re == c;
    int invert = re[1] == '^', hit = 0;
    for (const char *p = re + 1 + invert; *p && *p != ']'; p++) {
        if (p[1] == '-' && p[2] != ']') {
            hit |= c >= p[0] && c <= p[2];
            p += 2;
        } else {
            hit |= *p == c;
        }
    }
    return hit != invert;
}
static int repeat(const char *re, const char *rest, const char *s, int min, int max) {
    int n = 0;
    while (n < max && single(re, s[n]))
        n++;
    for (; n >= min; n--)
        if (here(rest, s + n))
            return 1;
    return 0;
}
static int here(const char *re, const char *s) {
    if (!*re)
        return 1;
    if (*re == '$' && !re[1])
        return !*s;
    int u = unit(re);
    switch (re[u]) {
    case '*': return repeat(re, re + u + 1, s, 0, 1000);
    case '+': return repeat(re, re + u + 1, s, 1, 1000);
    case '?': return repeat(re, re + u + 1, s, 0, 1);
    }
    return single(re, *s) && here(re + u, s + 1);
}
static int match(const char *re, const char *s) {
    if (*re == '^')
        return here(re + 1, s);
    do
        if (here(re, s))
            return 1;
    while (*s++);
    return 0;
}

int main(void) {
    const char *t[][2] = {{"abc", "xabcx"}, {"^abc", "xabc"}, {"a.c$", "abc"}, {"ab*c", "ac"}, {"ab+c", "ac"},
                          {"colou?r", "color"}, {"^[a-c]+$", "abccba"}, {"^[^0-9]*$", "abc4"}, {"\\d\\d", "a42"},
                          {"^a.*z$", "a to z"}, {"x*", ""}, {"\\.c$", "main.c"}, {"[]", "a"}};
    int mask = 0;
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        int m = match(t[i][0], t[i][1]);
        printf("%s ~ %s: %d\n", t[i][0], t[i][1], m);
        mask += m;
    }
    return mask;
}
