#ifndef EVENTS_H
#define EVENTS_H
typedef void (*handler_fn)(int code, void *data);
struct handler {
    handler_fn run;
    void *data;
};
extern struct handler handlers[4];
void events_add(handler_fn run, void *data);
void events_fire(int code);
void events_default(int code, void *data);
#endif
