//@ unit
int level(void) { return 2; }
