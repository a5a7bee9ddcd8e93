// Two parameters of unlike types lead to one object, and the function writes through the wrong one (6.5p7).
#include <stdio.h>

static int both(int *a, float *b) {
    *a = 1;
    *b = 2.0f; //~ ERROR strict-aliasing
    return *a;
}

int main(void) {
    int n = 0;
#ifdef TWIN
    float f = 0.0f;
    printf("%d\n", both(&n, &f));
#else
    printf("%d\n", both(&n, (float *)&n));
#endif
    return 0;
}
