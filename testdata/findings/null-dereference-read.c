// A search that finds nothing returns NULL, and the caller does not look.
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *s = "key=value";
    printf("%c\n", *strchr(s, '='));
    const char *p = strchr(s, ':');
    printf("%c\n", *p); //~ ERROR null-dereference
    return 0;
}
