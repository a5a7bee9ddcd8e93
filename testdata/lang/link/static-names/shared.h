#ifndef SHARED_H
#define SHARED_H
int b_step(void);
int b_counter(void);
const char *b_name(void);
int c_step(void);
const char *c_name(void);
#endif
