// Different structs, enums and typedefs of the same name in two files.
#include <stdio.h>

struct item { int id; char name[4]; };
enum mode { OFF, ON };
typedef int number;
int b_area(void);
double b_number(void);
static number value = 3;

int main(void) {
    struct item i = {1, "abc"};
    enum mode m = ON;
    printf("%d %s %d %zu %d\n", i.id, i.name, m, sizeof i, value);
    printf("%d %g\n", b_area(), b_number());
    return b_area() + value;
}
