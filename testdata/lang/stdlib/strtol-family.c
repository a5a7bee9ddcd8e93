// strtol, strtoul, strtoll, strtoull, atoi and atol: bases, signs, end pointers, prefixes.
#include <stdio.h>
#include <stdlib.h>

static void show(const char *s, int base) {
    char *end;
    long v = strtol(s, &end, base);
    printf("strtol(\"%s\", %d) = %ld, rest \"%s\"\n", s, base, v, end);
}

int main(void) {
    show("42", 10);
    show("  -17abc", 10);
    show("+0", 10);
    show("0x1F", 16);
    show("0x1F", 0);
    show("0755", 0);
    show("0755", 8);
    show("12", 0);
    show("1012", 2);
    show("zz", 36);
    show("0x", 16);
    show("", 10);
    show("abc", 10);
    show("- 5", 10);
    show("9223372036854775807", 10);
    char *end;
    printf("%lu\n", strtoul("4294967296", &end, 10));
    printf("%lu\n", strtoul("-1", NULL, 10));
    printf("%lld\n", strtoll("-9000000000", NULL, 10));
    printf("%llu\n", strtoull("ffffffffffffffff", NULL, 16));
    printf("%d %d %d %ld %lld\n", atoi("77x"), atoi("-5"), atoi("nope"), atol("123456789012"), atoll("-1"));
    return (int)strtol("1e", NULL, 16) + 70;
}
