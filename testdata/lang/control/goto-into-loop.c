// goto into the middle of loops and blocks, where no variably modified object is in scope.
#include <stdio.h>

int main(void) {
    int i = 5, sum = 0;
    goto middle;
    for (i = 0; i < 10; i++) {
        sum += 100;
    middle:
        sum += i;
    }
    printf("%d %d\n", i, sum);

    int k = 0;
    goto inside;
    while (k < 4) {
        printf("top %d\n", k);
    inside:
        printf("inside %d\n", k);
        k++;
    }

    int depth = 0;
    if (sum < 0) {
    branch:
        depth++;
        printf("in the branch %d\n", depth);
    } else {
        printf("in the other branch\n");
    }
    if (depth < 3)
        goto branch;

    goto block;
    {
        int x;
        x = 1;
        printf("skipped\n");
    block:
        x = 77;
        printf("%d\n", x);
    }
    return sum % 100 + depth;
}
