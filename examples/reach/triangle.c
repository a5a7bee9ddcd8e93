/* The classic of testing: what kind of triangle has these sides? */
enum { NONE, EQUILATERAL, ISOSCELES, RIGHT, SCALENE };

int classify(short a, short b, short c) {
    int t;
    if (a <= 0 || b <= 0 || c <= 0)
        return NONE;
    /* the longest side last */
    if (a > b) {
        t = a;
        a = b;
        b = t;
    }
    if (b > c) {
        t = b;
        b = c;
        c = t;
    }
    if (a > b) {
        t = a;
        a = b;
        b = t;
    }
    if (a + b <= c)
        return NONE;
    if (a == c)
        return EQUILATERAL;
    if (a > c) /* cannot be: the sides are in order */
        return NONE;
    if (a == b || b == c)
        return ISOSCELES;
    if (a * a + b * b == c * c)
        return RIGHT;
    return SCALENE;
}
