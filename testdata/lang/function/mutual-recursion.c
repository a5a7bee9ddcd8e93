// Mutual recursion between three functions and through function pointers.
#include <stdio.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int female(int n);
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }

static int a(int), b(int), c(int);
static int a(int n) { return n <= 0 ? 1 : 1 + b(n - 1); }
static int b(int n) { return n <= 0 ? 2 : 2 * c(n - 1) % 97; }
static int c(int n) { return n <= 0 ? 3 : a(n - 1) + b(n - 2); }

typedef void (*any)(void);
typedef int (*step)(int, any);
static int ping(int n, any next) { return n ? 1 + ((step)next)(n - 1, (any)ping) : 0; }

int main(void) {
    printf("%d %d %d\n", is_even(50), is_odd(50), is_odd(77));
    for (int i = 0; i < 12; i++)
        printf("%d/%d ", male(i), female(i));
    printf("\n%d %d %d\n", a(12), b(13), c(14));
    printf("%d\n", ping(9, (any)ping));
    return a(9);
}
