// The length of a char array without a terminating zero.
#include <stdio.h>
#include <string.h>

int main(void) {
    char word[4] = {'w', 'o', 'r', 'd'};
    size_t n = strlen(word); //~ ERROR out-of-bounds
    printf("%zu\n", n);
    return 0;
}
