// Nested, anonymous and self-referential structs and unions, with member chains.
#include <stdio.h>

struct point { int x, y; };
struct rect {
    struct point min, max;
    struct {
        unsigned char r, g, b;
    } color;
};
struct variant {
    int tag;
    union {
        int i;
        double d;
        struct { short lo, hi; };
    };
};
struct tree {
    struct tree *kids[2];
    struct rect box;
};

static int area(const struct rect *r) { return (r->max.x - r->min.x) * (r->max.y - r->min.y); }

int main(void) {
    struct rect r = {{1, 2}, {5, 9}, {10, 20, 30}};
    printf("%d\n", area(&r));
    r.max = (struct point){11, 12};
    struct point *corner = &r.max;
    corner->x++;
    printf("%d %d\n", area(&r), r.color.b);
    struct variant v = {.tag = 1, .i = 0};
    v.lo = 258;
    v.hi = 1;
    printf("%d\n", v.i);
    v.d = 2.5;
    printf("%g\n", v.d);
    struct tree leaf = {{0}, {{0, 0}, {2, 3}}}, root = {{&leaf, 0}, {{0, 0}, {1, 1}}};
    root.kids[0]->box.max.y = 7;
    printf("%d %d\n", area(&root.kids[0]->box), area(&leaf.box));
    printf("%d\n", root.kids[1] == NULL);
    struct rect boxes[2] = {r, leaf.box};
    boxes[0].min = boxes[1].max;
    printf("%d %d\n", boxes[0].min.x, boxes[0].min.y);
    printf("%zu %zu\n", sizeof(struct rect), sizeof(struct variant));
    return area(&boxes[0]) % 100;
}
