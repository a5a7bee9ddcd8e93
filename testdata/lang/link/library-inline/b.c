#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int number(const char *text) {
    char copy[8];
    memset(copy, 0, sizeof copy);
    snprintf(copy, sizeof copy, "%s", text + 1);
    return atoi(copy) + toupper('a');
}
