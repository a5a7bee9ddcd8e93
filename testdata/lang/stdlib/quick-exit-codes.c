// exit statuses wrap to eight bits, and EXIT_SUCCESS and EXIT_FAILURE have their values.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %d\n", EXIT_SUCCESS, EXIT_FAILURE);
    fflush(stdout);
    exit(256 + 19);
}
