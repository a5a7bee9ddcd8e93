// Functions that the library's headers define inline for optimising compilers, in two files.
//~ cflags: -O2 -D_FORTIFY_SOURCE=2
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int number(const char *text);

int main(void) {
    char copy[8];
    memset(copy, 0, sizeof copy);
    strcpy(copy, "aBc");
    for (int i = 0; copy[i]; i++) copy[i] = (char)toupper((unsigned char)copy[i]);
    printf("%s %d %d\n", copy, atoi("12"), number("x34"));
    return 0;
}
