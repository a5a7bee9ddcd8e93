// Static functions and variables of the same spelling in three files stay apart.
#include <stdio.h>
#include "shared.h"

static int counter = 100;
static int step(void) { return counter += 10; }
static const char *const name = "a";

int main(void) {
    for (int i = 0; i < 3; i++) {
        int a = step(), b = b_step(), c = c_step();
        printf("%s %d %s %d %s %d\n", name, a, b_name(), b, c_name(), c);
    }
    return counter - b_counter() - c_step();
}
