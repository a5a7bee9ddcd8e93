// The comma operator in for headers, conditions, returns, subscripts and macros.
#include <stdio.h>

#define SWAP(T, a, b) (tmp_##T = (a), (a) = (b), (b) = tmp_##T)

static int trace(int x) { return printf("<%d>", x), x * 2; }

int main(void) {
    int a = (1, 2, 3);
    int tmp_int;
    int b = 8;
    SWAP(int, a, b);
    printf("%d %d\n", a, b);
    int i, j;
    for (i = 0, j = 10; i < j; i += 3, j--)
        ;
    printf("%d %d\n", i, j);
    int arr[3] = {10, 20, 30};
    printf("%d\n", arr[a = 1, a + 1]);
    if (trace(1), trace(0))
        printf("taken\n");
    else
        printf("not taken\n");
    int r = (trace(4), trace(5)) + (a++, a);
    printf("= %d\n", r);
    while (b--, b > 0)
        printf("%d ", b);
    printf("\n%d\n", (int)sizeof((char)1, 2));
    return a = 5, a + r;
}
