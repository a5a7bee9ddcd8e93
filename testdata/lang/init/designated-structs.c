// Designated struct and union initialisers, nested designators, mixing with positional ones.
#include <stdio.h>

struct inner { int a, b[3]; };
struct outer {
    char tag;
    struct inner in[2];
    union { int i; float f; } u;
    const char *name;
};

static struct outer g = {.name = "global", .in[1].b[2] = 7, .u.f = 2.5f, .in[0] = {1, {2, 3}}};
static struct outer h = {'h', {{1, 2, 3, 4}, 5, 6}, {9}, "brace elision"};

static void show(const struct outer *o) {
    printf("%d |", o->tag);
    for (int i = 0; i < 2; i++)
        printf(" %d %d %d %d |", o->in[i].a, o->in[i].b[0], o->in[i].b[1], o->in[i].b[2]);
    printf(" %s\n", o->name ? o->name : "(none)");
}

int main(void) {
    show(&g);
    printf("%g\n", g.u.f);
    show(&h);
    printf("%d\n", h.u.i);
    struct outer local = {.tag = 'x', {[1] = {.b = {[1] = 4}, .a = 3}}, .u = {.i = 12}};
    show(&local);
    printf("%d\n", local.u.i);
    struct inner again = {.a = 1, .a = 2, .b = {1, 2, 3}, .b[1] = 50};
    printf("%d %d %d %d\n", again.a, again.b[0], again.b[1], again.b[2]);
    struct { int x; struct { int y, z; }; } anon = {.z = 3, .x = 1};
    printf("%d %d %d\n", anon.x, anon.y, anon.z);
    struct inner list[] = {[2].a = 5, [0] = {7}, {.b = {8}}};
    printf("%zu %d %d %d\n", sizeof list / sizeof *list, list[0].a, list[1].b[0], list[2].a);
    return again.b[1] + list[2].a;
}
