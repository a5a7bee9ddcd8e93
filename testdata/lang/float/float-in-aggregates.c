// Floating members in structs, arrays, unions, static initialisers and varargs.
#include <stdio.h>

struct vec { float x, y, z; };
static const struct vec axes[3] = {{1}, {.y = 1}, {0, 0, 1}};
static double grid[2][2] = {{1.25, -2}, {3e2, .5}};

static struct vec cross(struct vec a, struct vec b) {
    return (struct vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static float dot(const struct vec *a, const struct vec *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

int main(void) {
    struct vec c = cross(axes[0], axes[1]);
    printf("%g %g %g\n", c.x, c.y, c.z);
    struct vec a = {1, 2, 3}, b = {4, 5.5f, -6};
    c = cross(a, b);
    printf("%g %g %g %g\n", c.x, c.y, c.z, dot(&c, &a));
    double det = grid[0][0] * grid[1][1] - grid[0][1] * grid[1][0];
    printf("%g\n", det);
    float arr[4];
    for (int i = 0; i < 4; i++)
        arr[i] = i ? arr[i - 1] * 1.5f : 1;
    printf("%g %g %zu\n", arr[3], (double)arr[2], sizeof arr);
    union { float f; int i; } u = {.f = 2.0f};
    printf("%x\n", u.i);
    a.x++;
    a.y *= 2;
    a.z /= 4;
    a.x -= 0.25;
    printf("%g %g %g\n", a.x, a.y, a.z);
    return (int)dot(&a, &a);
}
