// A function that ends without a value is fine while nobody uses the value.
#include <stdio.h>

static int log_it(int x) {
    if (x > 2)
        return x;
    printf("small %d\n", x);
}

int main(void) {
    log_it(1);
    (void)log_it(2);
    printf("%d\n", log_it(5));
    return log_it(7);
}
