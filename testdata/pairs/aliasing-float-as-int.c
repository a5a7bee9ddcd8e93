// A float is read as an int through a converted pointer (6.5p7).
#include <stdio.h>
#include <string.h>

int main(void) {
    float f = 1.0f;
#ifdef TWIN
    int bits;
    memcpy(&bits, &f, sizeof bits);
#else
    int bits = *(int *)&f; //~ ERROR strict-aliasing
#endif
    printf("%x\n", bits);
    return 0;
}
