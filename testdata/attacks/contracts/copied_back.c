//@ class: contracts
//@ args: contract
//@ never: proved given
// Characters that were written through a pointer come back into a number.
#include <string.h>
/*@ ensures \result == 0; */
int back(char c) {
    char text[sizeof(int)] = {0};
    char *p = text;
    int number;
    *p = c;
    memcpy(&number, text, sizeof number);
    return number;
}
