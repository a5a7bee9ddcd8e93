// Floating comparisons in conditions, loops and logical operators.
#include <stdio.h>

static int sign(double x) { return (x > 0) - (x < 0); }

int main(void) {
    double v[] = {-1.5, 0.0, 1e-300, 2.0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            printf("%d%d%d%d%d%d ", v[i] < v[j], v[i] <= v[j], v[i] > v[j], v[i] >= v[j], v[i] == v[j], v[i] != v[j]);
        printf("%d %d\n", sign(v[i]), !v[i]);
    }
    int n = 0;
    for (float f = 0; f < 1; f += 0.125f)
        n++;
    printf("%d\n", n);
    double d = 10;
    while (d)
        d = d > 1 ? d / 2 : 0;
    printf("%g\n", d);
    if (0.1f < 0.1)
        printf("float is smaller\n");
    else
        printf("float is larger\n");
    printf("%d %d\n", 1 == 1.0f, 3 > 2.9999f);
    printf("%d\n", 4294967295u == 4294967295.0f);
    return n * (0.5 && 0.25);
}
