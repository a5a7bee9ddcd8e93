// Function pointers registered in one file and called from another; functions and tables cross files.
#include <stdio.h>
#include "events.h"

static int seen;
static void on_event(int code, void *data) {
    seen++;
    *(int *)data += code;
}
static void on_other(int code, void *data) { printf("other %d %s\n", code, (const char *)data); }

int main(void) {
    int sum = 0;
    events_add(on_event, &sum);
    events_add(on_other, "text");
    events_add(events_default, &sum);
    for (int i = 1; i <= 3; i++)
        events_fire(i * 5);
    printf("%d %d %d\n", seen, sum, handlers[0].run == on_event);
    return sum;
}
