// typedefs of function types, arrays, pointers, anonymous structs, and complex declarators.
#include <stdio.h>

typedef int unary(int);
typedef unary *unary_ptr;
typedef int triple[3];
typedef const char *text;
typedef struct { triple t; text label; } record;
typedef unary_ptr (*selector)(int);
typedef unsigned long size_type, *size_ptr;
typedef triple grid[2];

static unary negate, plus_one;
static int negate(int x) { return -x; }
static int plus_one(int x) { return x + 1; }
static unary_ptr select_it(int k) { return k ? negate : plus_one; }
static int (*(*deep(void))(int))(int) { return select_it; }
static int total(const triple t) { return t[0] + t[1] + t[2]; }

int main(void) {
    record r = {{1, 2, 3}, "one"};
    printf("%d %s\n", total(r.t), r.label);
    selector s = select_it;
    printf("%d %d\n", s(0)(10), s(1)(10));
    printf("%d\n", deep()(1)(33));
    size_type n = 8;
    size_ptr pn = &n;
    *pn += 1;
    printf("%lu\n", n);
    grid g = {{1, 2, 3}, {4, 5, 6}};
    triple *row = g + 1;
    printf("%d %zu %zu\n", (*row)[2], sizeof g, sizeof(triple));
    unary_ptr table[2] = {plus_one, negate};
    int (*(*pt)[2])(int) = &table;
    printf("%d\n", (*pt)[1](5));
    char *(*names[2])[2] = {&(char *[2]){"a", "b"}, &(char *[2]){"c", "d"}};
    printf("%s%s\n", (*names[0])[1], (*names[1])[0]);
    typedef int local_int;
    local_int v = total(*row);
    return v + (int)n;
}
