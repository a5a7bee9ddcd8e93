// Structs with function pointers used as interfaces, with an embedded base struct.
#include <stdio.h>

struct shape;
struct shape_ops {
    double (*area)(const struct shape *);
    const char *(*name)(void);
};
struct shape {
    const struct shape_ops *ops;
    int id;
};
struct square {
    struct shape base;
    double side;
};
struct ring {
    struct shape base;
    double outer, inner;
};

static double square_area(const struct shape *s) {
    const struct square *q = (const struct square *)s;
    return q->side * q->side;
}
static const char *square_name(void) { return "square"; }
static double ring_area(const struct shape *s) {
    const struct ring *r = (const struct ring *)s;
    return 3.0 * (r->outer * r->outer - r->inner * r->inner);
}
static const char *ring_name(void) { return "ring"; }

static const struct shape_ops square_ops = {square_area, square_name};
static const struct shape_ops ring_ops = {.name = ring_name, .area = ring_area};

int main(void) {
    struct square a = {{&square_ops, 1}, 4}, b = {{&square_ops, 2}, 1.5};
    struct ring c = {{&ring_ops, 3}, 3, 2};
    struct shape *all[] = {&a.base, &c.base, &b.base};
    double total = 0;
    for (int i = 0; i < 3; i++) {
        printf("%d %s %.2f\n", all[i]->id, all[i]->ops->name(), all[i]->ops->area(all[i]));
        total += all[i]->ops->area(all[i]);
    }
    printf("%.3f\n", total);
    return (int)total;
}
