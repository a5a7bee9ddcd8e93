// Enumerations: implicit and explicit values, negatives, use as array index and in switch.
#include <stdio.h>

enum level { LOW = -2, NONE, ZERO, HIGH = 10, HIGHER, ALIAS = HIGH };
enum { ANSWER = 42, DOUBLE = ANSWER * 2 };
typedef enum shape { CIRCLE, SQUARE, TRIANGLE, SHAPE_COUNT } shape_t;

static const char *const names[SHAPE_COUNT] = {[CIRCLE] = "circle", [TRIANGLE] = "triangle", [SQUARE] = "square"};

static int corners(shape_t s) {
    switch (s) {
    case CIRCLE: return 0;
    case SQUARE: return 4;
    case TRIANGLE: return 3;
    default: return -1;
    }
}

int main(void) {
    printf("%d %d %d %d %d %d\n", LOW, NONE, ZERO, HIGH, HIGHER, ALIAS);
    printf("%d %d\n", ANSWER, DOUBLE);
    int sum = 0;
    for (shape_t s = CIRCLE; s < SHAPE_COUNT; s++) {
        printf("%s has %d corners\n", names[s], corners(s));
        sum += corners(s);
    }
    enum level l = 3;
    printf("%d %d\n", l, corners((shape_t)17));
    l = LOW;
    printf("%d %d\n", l < NONE, (int)sizeof l);
    enum local { A = 'a', B, C = sizeof(int) } z = B;
    printf("%c %d\n", z, C);
    return sum + DOUBLE;
}
