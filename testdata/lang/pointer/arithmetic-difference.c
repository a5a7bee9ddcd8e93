// Pointer arithmetic, differences, comparisons and one-past-the-end pointers.
#include <stddef.h>
#include <stdio.h>

struct item {
    char c;
    double d;
};

int main(void) {
    int a[10];
    for (int *p = a; p != a + 10; ++p)
        *p = (int)(p - a) * 3;
    int *first = &a[2], *last = &a[8];
    printf("%td %td\n", last - first, first - last);
    printf("%d %d %d\n", first < last, first >= last, first + 6 == last);
    printf("%d %d %d\n", *(last - 1), last[-2], -1[last]);
    int *end = &a[10];
    printf("%td %d\n", end - a, end[-1]);
    struct item items[4] = {{'a', 1}, {'b', 2}, {'c', 3}, {'d', 4}};
    struct item *it = items + 3;
    it -= 2;
    printf("%c %g %td\n", it->c, (it + 1)->d, it - items);
    printf("%td\n", (char *)(it + 1) - (char *)it);
    const char *s = "pointer";
    const char *q = s;
    while (*q)
        q++;
    printf("%td\n", q - s);
    long sum = 0;
    for (int *p = end; p > a;)
        sum += *--p;
    printf("%ld\n", sum);
    return (int)(end - first) * 10 + 1;
}
