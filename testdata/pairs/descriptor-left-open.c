// A descriptor is never closed.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int file = open("pairs-descriptor", O_CREAT | O_RDWR, 0600); //~ ERROR left-open
    unlink("pairs-descriptor");
#ifdef TWIN
    close(file);
#endif
    printf("%d\n", file >= 0);
    return 0;
}
