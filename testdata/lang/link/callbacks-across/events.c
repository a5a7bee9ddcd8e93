// The registry of handlers.
#include "events.h"

struct handler handlers[4];
static int count;

void events_add(handler_fn run, void *data) { handlers[count++] = (struct handler){run, data}; }
void events_fire(int code) {
    for (int i = 0; i < count; i++)
        handlers[i].run(code, handlers[i].data);
}
void events_default(int code, void *data) { *(int *)data -= code % 2; }
