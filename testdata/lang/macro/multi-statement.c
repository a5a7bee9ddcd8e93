// do-while(0) macros, macros with side effects on arguments, and swallowing of semicolons.
#include <stdio.h>

#define SWAP(T, a, b) do { T t_ = (a); (a) = (b); (b) = t_; } while (0)
#define SQUARE(x) ((x) * (x))
#define BAD_SQUARE(x) x * x
#define UNLESS(c) if (!(c))
#define FOREVER for (;;)
#define REPEAT(n) for (int i_ = 0; i_ < (n); i_++)
#define MIN3(a, b, c) MIN(a, MIN(b, c))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define BEGIN {
#define END }

int main(void) BEGIN
    int a = 1, b = 2;
    double x = 1.5, y = 2.5;
    if (a < b)
        SWAP(int, a, b);
    else
        SWAP(double, x, y);
    printf("%d %d %g %g\n", a, b, x, y);
    printf("%d %d\n", SQUARE(a + 1), BAD_SQUARE(a + 1));
    UNLESS(a == b)
        printf("different\n");
    int n = 0;
    FOREVER {
        if (++n == 4)
            break;
    }
    REPEAT(3)
        printf("%d", n++);
    printf("\n%d\n", MIN3(n, 5, 6));
    int arr[7] = {0};
    printf("%zu\n", ARRAY_LEN(arr));
#define LOCAL(v) (v + a)
    printf("%d\n", LOCAL(10));
#undef LOCAL
    return SQUARE(n) + BAD_SQUARE(b + 1);
END
