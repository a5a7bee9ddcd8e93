// The second holder of the names `counter`, `step` and `name`.
#include "shared.h"

static int counter = 5;
static const char name[] = "b";
static int step(void) { return counter *= 2; }
int b_step(void) { return step(); }
int b_counter(void) { return counter; }
const char *b_name(void) { return name; }
