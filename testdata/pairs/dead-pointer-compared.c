// The value of a pointer whose object was freed is compared: it has none any more (6.2.4p2).
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *old = malloc(16);
    if (!old)
        return 0;
#ifdef TWIN
    unsigned long before = (unsigned long)old;
    char *new = realloc(old, 32);
    printf("%d\n", (unsigned long)new == before || new != 0);
#else
    char *new = realloc(old, 32);
    printf("%d\n", new == old || new != 0); //~ ERROR use-after-free
#endif
    free(new);
    return 0;
}
