// va_copy, passing a va_list on to helpers and to vsnprintf and vprintf.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *format(const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *out = malloc((size_t)n + 1);
    vsnprintf(out, (size_t)n + 1, fmt, again);
    va_end(again);
    return out;
}

static int max_of(int n, va_list ap) {
    int best = va_arg(ap, int);
    while (--n > 0) {
        int v = va_arg(ap, int);
        if (v > best)
            best = v;
    }
    return best;
}

static int spread(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    int high = max_of(n, a), low = high;
    for (int i = 0; i < n; i++) {
        int v = va_arg(b, int);
        if (v < low)
            low = v;
    }
    va_end(b);
    va_end(a);
    return high - low;
}

static void emit(const char *level, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    printf("[%s] ", level);
    vprintf(fmt, ap);
    putchar('\n');
    va_end(ap);
}

int main(void) {
    char *s = format("%s-%05d-%.2f", "part", 42, 2.5);
    printf("%s %zu\n", s, strlen(s));
    int length = (int)strlen(s);
    free(s);
    printf("%d\n", spread(5, 3, -9, 14, 0, 7));
    emit("info", "%d items in %s", 3, "box");
    emit("warn", "plain");
    return length + spread(2, 1, 10);
}
