// Its own meaning of `struct item`, `enum mode`, `number` and `value`.
struct item { double w, h; };
enum mode { ON = 5, OFF = 9 };
typedef double number;
static number value = 2.5;

int b_area(void) {
    struct item i = {4, 5.5};
    return (int)(i.w * i.h) + ON;
}
double b_number(void) { return value * sizeof(struct item); }
