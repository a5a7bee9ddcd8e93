// Nested assignments, chained assignment, and side effects in conditions and subscripts.
#include <stdio.h>

static int log_count;
static int step(int v) {
    log_count++;
    return v;
}

int main(void) {
    int a, b, c;
    a = b = c = 7;
    printf("%d %d %d\n", a, b, c);
    int arr[5] = {0};
    int i = 0;
    arr[i++] = 10;
    arr[i++] = 20;
    arr[++i] = 30;
    for (int k = 0; k < 5; k++)
        printf("%d ", arr[k]);
    printf("%d\n", i);
    if ((a = step(3)) > 2 && (b = a * 2))
        c += a + b;
    printf("%d %d %d\n", a, b, c);
    unsigned char narrow;
    int wide = narrow = 300;
    printf("%d %d\n", narrow, wide);
    int n = 5, product = 1;
    while (n)
        product *= n--;
    printf("%d\n", product);
    arr[step(2)] += step(5);
    arr[step(2)]++;
    printf("%d\n", arr[2]);
    int *p = arr;
    *p++ += 1;
    *p++ -= 1;
    (*p)++;
    printf("%d %d %d %d\n", arr[0], arr[1], arr[2], (int)(p - arr));
    a = 10;
    printf("%d\n", log_count);
    return log_count * 10 + c % 10;
}
