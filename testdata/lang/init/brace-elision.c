// Brace elision in nested aggregates, trailing commas, and strings inside structs.
#include <stdio.h>

struct s { int a[2]; struct { char c, d; } e; int f; };
static int flat[2][3] = {1, 2, 3, 4, 5};
static int half[2][3] = {{1}, 4, 5, 6};
static struct s one = {1, 2, 'x', 'y', 3};
static struct s two[] = {1, 2, {'p'}, 3, 4, 5, 'q', 'r', 6, 7};
static struct { char name[4]; int n; } items[] = {"ab", 1, "cde", 2, {"f"},};
static char grid[2][2][3] = {"ab", "cd", {"ef", {'g', 'h'}}};

int main(void) {
    for (int i = 0; i < 2; i++)
        printf("%d%d%d %d%d%d\n", flat[i][0], flat[i][1], flat[i][2], half[i][0], half[i][1], half[i][2]);
    printf("%d %d %c %c %d\n", one.a[0], one.a[1], one.e.c, one.e.d, one.f);
    int n = sizeof two / sizeof *two;
    for (int i = 0; i < n; i++)
        printf("%d %d %d %d %d\n", two[i].a[0], two[i].a[1], two[i].e.c, two[i].e.d, two[i].f);
    for (unsigned i = 0; i < sizeof items / sizeof *items; i++)
        printf("%s=%d ", items[i].name, items[i].n);
    printf("\n%s %s %s %s\n", grid[0][0], grid[0][1], grid[1][0], grid[1][1]);
    struct s local = {{9}, {'L'}, 5};
    printf("%d %d %c %d %d\n", local.a[0], local.a[1], local.e.c, local.e.d, local.f);
    return n * 10 + local.f;
}
