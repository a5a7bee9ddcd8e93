// setjmp and longjmp: across calls, out of a library function, nested buffers, copies of buffers, values.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf top, sort;

static void fail(int depth, int value) {
    char room[64];
    memset(room, depth, sizeof room);
    if (depth == 0)
        longjmp(top, value);
    fail(depth - 1, value);
    printf("never %d\n", room[0]);
}

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (x == 13 || y == 13)
        longjmp(sort, 2);
    return x < y ? -1 : x > y;
}

static int protected(int (*work)(int), int value) {
    jmp_buf outer;
    memcpy(&outer, &top, sizeof outer);
    int code = setjmp(top);
    int result = code == 0 ? work(value) : -code;
    memcpy(&top, &outer, sizeof outer);
    return result;
}

static int half(int n) {
    if (n % 2)
        longjmp(top, n);
    return n / 2;
}

static int twice(int n) {
    return protected(half, n) + 100;
}

int main(void) {
    volatile int rounds = 0;
    switch (setjmp(top)) {
    case 0:
        puts("first");
        fail(20, 7);
        break;
    case 7:
        puts("seven");
        fail(3, 0);
        break;
    case 1:
        puts("zero becomes one");
        break;
    default:
        puts("unexpected");
    }
    for (int i = 0; i < 5; i++) {
        if (setjmp(top) == 0)
            fail(i, i + 1);
        rounds++;
    }
    printf("rounds %d\n", rounds);
    int numbers[] = {5, 3, 9, 13, 1};
    if (setjmp(sort) == 0) {
        qsort(numbers, 5, sizeof *numbers, compare);
        puts("sorted");
    } else {
        puts("left the sort");
    }
    printf("%d %d %d\n", protected(half, 10), protected(half, 9), protected(twice, 7));
    int again = setjmp(top);
    if (again < 3)
        longjmp(top, again + 1);
    printf("again %d\n", again);
    return 0;
}
