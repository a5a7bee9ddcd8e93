// Variadic macros, GNU comma swallowing, argument counting, and recursive-looking expansion.
#include <stdio.h>

#define LOG(fmt, ...) printf("[%d] " fmt "\n", 7, ##__VA_ARGS__)
#define CALL(f, ...) f(__VA_ARGS__)
#define COUNT_(a, b, c, d, e, n, ...) n
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define FIRST(a, ...) a
#define REST(a, ...) __VA_ARGS__
#define NAMED(args...) CALL(sum3, args)
#define EACH(M) M(red, 1) M(green, 2) M(blue, 4)

static int sum3(int a, int b, int c) { return a + b + c; }

#define AS_ENUM(name, v) COLOR_##name = v,
enum color { EACH(AS_ENUM) COLOR_none = 0 };
#define AS_CASE(name, v) case COLOR_##name: return #name;
static const char *color_name(enum color c) {
    switch (c) {
        EACH(AS_CASE)
    default: return "none";
    }
}
#define AS_SUM(name, v) +v

int main(void) {
    LOG("plain");
    LOG("%d and %s", 3, "text");
    printf("%d\n", CALL(sum3, 1, 2, 3));
    printf("%d %d %d\n", COUNT(x), COUNT(x, y), COUNT(a, b, c, d, e));
    printf("%d %d\n", FIRST(8, 9, 10), CALL(FIRST, REST(8, 9, 10)));
    printf("%d\n", NAMED(4, 5, 6));
    printf("%s %s %s\n", color_name(COLOR_green), color_name(4), color_name(99));
    return 0 EACH(AS_SUM);
}
