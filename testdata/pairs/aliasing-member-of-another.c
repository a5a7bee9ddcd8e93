// A record is read through a pointer to another record, whose member there has another type (6.5p7).
#include <stdio.h>

struct whole { int number; int rest; };
struct other { double number; };
struct head { int number; };

int main(void) {
    static struct whole whole = {1, 2};
#ifdef TWIN
    struct head *seen = (struct head *)&whole;
    printf("%d\n", seen->number);
#else
    struct other *seen = (struct other *)&whole;
    printf("%d\n", seen->number != 0); //~ ERROR strict-aliasing
#endif
    return 0;
}
