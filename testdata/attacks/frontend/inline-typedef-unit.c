//@ unit
typedef long T;
inline int size(void) { return sizeof(T); }
extern inline int size(void);
int other(void) { return size(); }
