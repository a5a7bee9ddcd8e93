/* What generated programs and `oracle.c` know of each other. */
struct oracle_program { int number, inputs; void (*run)(int input); };
extern const struct oracle_program oracle_programs[];
void oracle_integer(int probe, long long value);
void oracle_real(int probe, double value);
