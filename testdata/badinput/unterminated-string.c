// A string literal without its closing quote.
#include <stdio.h>

int main(void) {
    puts("no end);
    return 0;
}
