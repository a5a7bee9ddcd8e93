// Types and values of integer constants: suffixes, bases, and the widening rules.
#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", \
    unsigned long: "unsigned long", long long: "long long", \
    unsigned long long: "unsigned long long", char: "char", default: "other")

int main(void) {
    printf("%s\n", KIND(1));
    printf("%s\n", KIND(1u));
    printf("%s\n", KIND(1l));
    printf("%s\n", KIND(1ul));
    printf("%s\n", KIND(1ll));
    printf("%s\n", KIND(1LLU));
    printf("%s\n", KIND(2147483647));
    printf("%s\n", KIND(2147483648));
    printf("%s\n", KIND(0x7fffffff));
    printf("%s\n", KIND(0x80000000));
    printf("%s\n", KIND(0xffffffffff));
    printf("%s\n", KIND(0x8000000000000000));
    printf("%s\n", KIND('a'));
    printf("%s\n", KIND((char)'a'));
    printf("%s\n", KIND(-2147483648));
    printf("%d %d %d\n", 0755, 0xBEEF, 0b1011);
    printf("%ld\n", 9223372036854775807);
    printf("%lu\n", 18446744073709551615u);
    printf("%d %d\n", 'ab' == ('a' << 8 | 'b'), '\0');
    return 077;
}
