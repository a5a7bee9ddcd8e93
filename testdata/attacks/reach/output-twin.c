//@ class: reach
//@ args: reach --target error
//@ never: reached
//@ twin: unreachable
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
int main(int argc, char **argv) {
    (void)argv;
    char buffer[16], part[3] = {'x', 'y', 'z'};
    if (argc > 1) {
        if (snprintf(buffer, sizeof buffer, "%-4s|%c|%03d|%.2s", "ab", 'c', 7, part) != 13) return *(int *)0;
        if (strcmp(buffer, "ab  |c|007|xy") != 0) return *(int *)0;
    }
    if (printf("%.3s %d %lu %5.1f\n", part, argc, 5ul, 1.5) < 0) return 1;
    say("%s %%\n", "text");
    return 0;
}
