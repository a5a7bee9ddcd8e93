// GNU C: functions inside functions that use the variables around them, are passed on, recurse and jump out.
#include <stdio.h>
#include <stdlib.h>

static void each(int n, void (*visit)(int)) {
    for (int i = 0; i < n; i++)
        visit(i);
}

static int sum_to(int n) {
    int total = 0;
    void add(int i) { total += i; }
    each(n, add);
    return total;
}

static int find(const int *a, int n, int wanted) {
    __label__ found;
    int at = -1;
    void look(int i) {
        if (a[i] == wanted) {
            at = i;
            goto found;
        }
    }
    each(n, look);
    return -1;
found:
    return at;
}

/* Each activation has variables of its own: Knuth's test of 1964. */
static int man_or_boy(int k, int (*x1)(void), int (*x2)(void), int (*x3)(void), int (*x4)(void), int (*x5)(void)) {
    int b(void) { return man_or_boy(--k, b, x1, x2, x3, x4); }
    return k <= 0 ? x4() + x5() : b();
}

static int one(void) { return 1; }
static int minus_one(void) { return -1; }
static int zero(void) { return 0; }

int main(void) {
    printf("%d\n", sum_to(10));
    int numbers[] = {4, 8, 15, 16, 23, 42};
    printf("%d %d\n", find(numbers, 6, 16), find(numbers, 6, 17));
    int down = 1;
    int by(const void *a, const void *b) {
        int difference = *(const int *)a - *(const int *)b;
        return down ? -difference : difference;
    }
    qsort(numbers, 6, sizeof *numbers, by);
    printf("%d %d\n", numbers[0], numbers[5]);
    down = 0;
    qsort(numbers, 6, sizeof *numbers, by);
    printf("%d %d\n", numbers[0], numbers[5]);
    struct pair {
        long low, high;
    };
    struct pair split(long n) {
        struct pair made = {n % (10 + down), n / (10 + down)};
        return made;
    }
    struct pair made = split(123);
    printf("%ld %ld\n", made.low, made.high);
    int depth = 0;
    int outer(int n) {
        int mine = n * n;
        int inner(int m) {
            depth++;
            return m <= 0 ? mine : inner(m - 1) + mine;
        }
        return inner(n);
    }
    int result = outer(3);
    printf("%d %d\n", result, depth);
    printf("%d\n", man_or_boy(8, one, minus_one, minus_one, one, zero));
    return 0;
}
