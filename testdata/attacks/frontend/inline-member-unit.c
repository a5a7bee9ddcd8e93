//@ unit
struct pair { int a, b; };
typedef struct pair pair;
enum { STEP = 2 };
inline int next(const pair *p) { return p->b + STEP; }
extern inline int next(const pair *p);
int other(void) {
    pair p = { 1, 3 };
    return next(&p);
}
