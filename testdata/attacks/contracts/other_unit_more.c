//@ unit
static int depth;
int level;
void raise_other(int to) { level = to; depth++; }
int other_level(void) { return level; }
