//@ unit
enum { LIMIT = 5 };
inline int limit(void) { return LIMIT; }
extern inline int limit(void);
