// %s is given an int.
#include <stdio.h>

int main(void) {
    int code = 404;
    printf("%d\n", code);
    printf("error %s\n", code); //~ ERROR bad-format
    return 0;
}
