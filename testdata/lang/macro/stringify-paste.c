// # and ## with multi-level expansion, and the order of argument expansion.
#include <stdio.h>

#define STR(x) #x
#define STRS(...) #__VA_ARGS__
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define VERSION 42
#define NAME value
#define MAKE(n) static int CAT(get_, n)(void) { return XCAT(n, n); }
#define one_one 1
#define twotwo 22
#define oneone 11

MAKE(one)
MAKE(two)

int main(void) {
    int value1 = 5, valueVERSION = 6;
    printf("%s %s\n", STR(VERSION), XSTR(VERSION));
    printf("%s\n", STR(a  +   b "quoted\n" 'c'));
    printf("%d %d\n", XCAT(NAME, 1), CAT(value, VERSION));
    printf("%d %d\n", get_one(), get_two());
    printf("%s\n", XSTR(CAT(VER, SION)));
    printf("%d\n", CAT(0x, ff));
    printf("%s\n", STR());
    printf("%s|%s\n", STRS(a, b), STR((x, y)));
    return XCAT(VERSION, 1) % 100;
}
