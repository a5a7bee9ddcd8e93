// Reading string literals through char*, and writing to arrays that were initialised from them.
#include <stdio.h>
#include <string.h>

int main(void) {
    char *literal = "literal", array[] = "literal";
    array[0] = 'L';
    array[7] = '!';
    printf("%s %.8s %d\n", literal, array, literal[7]);
    char exact[3] = "abc";
    printf("%.3s %d\n", exact, memcmp(exact, "abc", 3));
    return (int)strlen(literal);
}
