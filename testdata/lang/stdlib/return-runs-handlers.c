// Returning from main runs atexit handlers and flushes output that has no newline.
#include <stdio.h>
#include <stdlib.h>

static void bye(void) { fputs("bye", stdout); }

int main(void) {
    atexit(bye);
    printf("no newline, ");
    return EXIT_FAILURE;
}
