// sscanf strings: %s, %c, %[ with ranges and negation, widths, %n, and literal matching.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[20], b[20], c;
    int n, used, x;
    n = sscanf("hello world", "%s %s", a, b);
    printf("%d %s %s\n", n, a, b);
    n = sscanf("hello", "%3s%s", a, b);
    printf("%d %s %s\n", n, a, b);
    n = sscanf("key = value", "%[a-z] = %[^\n]", a, b);
    printf("%d %s %s\n", n, a, b);
    n = sscanf("abc123def", "%[a-z]%d%[^x]", a, &x, b);
    printf("%d %s %d %s\n", n, a, x, b);
    n = sscanf("  x", "%c", &c);
    printf("%d %d\n", n, c);
    n = sscanf("  x", " %c", &c);
    printf("%d %c\n", n, c);
    n = sscanf("12 rest", "%d%n", &x, &used);
    printf("%d %d %d\n", n, x, used);
    n = sscanf("a-b]c", "%[]ab-]%s", a, b);
    printf("%d %s %s\n", n, a, b);
    n = sscanf("123", "%[a-z]", a);
    printf("%d\n", n);
    char two[2];
    n = sscanf("xyz", "%2c", two);
    printf("%d %c%c\n", n, two[0], two[1]);
    n = sscanf("name: bob age: 7", "name: %19s age: %d", a, &x);
    printf("%d %s %d\n", n, a, x);
    n = sscanf("skip this 5", "%*s %*[a-z] %d", &x);
    printf("%d %d\n", n, x);
    const char *list = "3 14 15 90";
    int sum = 0, step;
    while (sscanf(list, "%d%n", &x, &step) == 1) {
        sum += x;
        list += step;
    }
    printf("%d\n", sum);
    return sum;
}
