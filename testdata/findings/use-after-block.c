// A pointer to a variable of an inner block is used after the block.
#include <stdio.h>

int main(void) {
    int *p = NULL;
    for (int i = 0; i < 2; i++) {
        int inner = i + 10;
        p = &inner;
        printf("%d\n", *p);
    }
    *p = 5; //~ ERROR use-after-scope
    return 0;
}
