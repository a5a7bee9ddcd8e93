#ifndef STATE_H
#define STATE_H
struct point { int x, y; };
extern int total, limit, table_len;
extern int table[];
extern const char *greeting;
extern struct point current;
extern int *where;
void bump(int by);
void move_right(int dx);
int table_sum(void);
#endif
