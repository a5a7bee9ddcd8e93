// Library calls with length zero touch nothing, even at the end of an array.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[4] = "abc", b[4] = "xyz";
    memcpy(a + 4, b, 0);
    memmove(a + 4, b + 4, 0);
    memset(a + 4, 'z', 0);
    printf("%d %d\n", memcmp(a + 4, b + 4, 0), strncmp(a, b, 0));
    printf("%d\n", snprintf(NULL, 0, "%s", a));
    printf("[%.0s] %s\n", a, b);
    return 3;
}
