// assert with true conditions, side effects kept, and with NDEBUG turned on in the middle.
#include <assert.h>
#include <stdio.h>

static int calls;
static int yes(void) { return ++calls; }

static void checked(void) {
    assert(yes());
    assert(calls == 1 && "the condition may carry text");
}

#define NDEBUG
#include <assert.h>

int main(void) {
    checked();
    assert(yes() && 0);
    printf("%d\n", calls);
    static_assert(sizeof(int) == 4, "int has four bytes");
    return calls;
}
