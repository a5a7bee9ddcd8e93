// atexit handlers run in reverse order, after exit is called from a nested function.
#include <stdio.h>
#include <stdlib.h>

static int stage;
static void first(void) { printf("first %d\n", ++stage); }
static void second(void) { printf("second %d\n", ++stage); }
static void third(void) { printf("third %d\n", ++stage); }

static void deep(int n) {
    if (n == 0) {
        printf("leaving\n");
        exit(42);
    }
    deep(n - 1);
    printf("never printed\n");
}

int main(void) {
    atexit(first);
    atexit(second);
    if (atexit(third) != 0)
        return 1;
    atexit(second);
    deep(5);
    return 0;
}
