// The mean of no values.
#include <stdio.h>

static int mean(const int *v, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s / n; //~ ERROR division-by-zero
}

int main(void) {
    int v[] = {4, 6};
    printf("%d\n", mean(v, 2));
    printf("%d\n", mean(v, 0));
    return 0;
}
