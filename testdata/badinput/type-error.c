// A struct is added to a pointer: a type error, not a crash.
struct point {
    int x, y;
};

int main(void) {
    struct point p = {1, 2};
    int *q = &p.x;
    return *(q + p);
}
