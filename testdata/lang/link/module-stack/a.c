// An opaque stack type: the struct is only known in the file that implements it.
#include <stdio.h>
#include "stack.h"

int main(void) {
    stack *s = stack_new(2);
    for (int i = 1; i <= 10; i++)
        stack_push(s, i * i);
    int sum = 0, n = 0;
    for (int v; stack_pop(s, &v); n++) {
        sum += v;
        if (n % 3 == 0)
            printf("%d ", v);
    }
    printf("\n%d %d %d\n", n, sum, stack_growths());
    stack_free(s);
    return sum % 126;
}
