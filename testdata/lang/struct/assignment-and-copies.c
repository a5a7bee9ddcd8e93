// Struct assignment in chains, through pointers, with arrays inside, and self assignment.
#include <stdio.h>
#include <string.h>

struct word {
    char text[16];
    int count;
    struct { int line[4]; } seen;
};

int main(void) {
    struct word a = {"alpha", 1, {{1, 2, 3, 4}}}, b, c;
    b = c = a;
    b.text[0] = 'A';
    c.seen.line[2] = 99;
    printf("%s %s %s\n", a.text, b.text, c.text);
    printf("%d %d %d\n", a.seen.line[2], b.seen.line[2], c.seen.line[2]);
    struct word *p = &a, *q = &b;
    *p = *q;
    printf("%s\n", a.text);
    *p = *p;
    printf("%s %d\n", p->text, p->count);
    struct word list[3];
    for (int i = 0; i < 3; i++) {
        list[i] = c;
        list[i].count = i * 7;
    }
    list[0] = list[2];
    printf("%d %d %d\n", list[0].count, list[1].count, list[2].count);
    a.seen = c.seen;
    printf("%d\n", a.seen.line[2]);
    struct word d;
    memcpy(&d, &a, sizeof d);
    printf("%d\n", memcmp(d.text, a.text, sizeof d.text) == 0 && d.count == a.count);
    struct { struct word w; } outer = {a};
    outer.w.count += 40;
    printf("%d\n", (a = outer.w).count);
    return a.count;
}
