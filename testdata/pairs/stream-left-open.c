// A stream is never closed.
#include <stdio.h>

int main(void) {
    FILE *file = tmpfile(); //~ ERROR left-open
    if (file)
        fputs("text", file);
#ifdef TWIN
    if (file)
        fclose(file);
#endif
    puts("done");
    return 0;
}
