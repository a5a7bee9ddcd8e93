// The file ends in the middle of a function: a parse error at the end of the file.
#include <stdio.h>

static int area(int w, int h) {
    return w * h;
}

int main(void) {
    int total = 0;
    for (int i = 0; i < 10; i++) {
        total += area(i,
