// The included file does not exist: the preprocessor fails.
#include <stdio.h>
#include "no-such-header-anywhere.h"

int main(void) {
    puts("never compiled");
    return 0;
}
