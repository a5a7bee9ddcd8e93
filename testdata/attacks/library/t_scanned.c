//@ class: library
//@ args: prove
//@ twin: proved
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
int main(void) {
    int number = 0;
    float part = 0;
    char word[8];
    assert(sscanf("12 ab 3.5", "%d %7s %f", &number, word, &part) == 3);
    assert(number == 12 && part == 3.5f && strcmp(word, "ab") == 0);
    assert(sscanf("", "%d", &number) == -1);
    assert(strspn("aabbc", "ab") == 4 && strcspn("hello", "l") == 2);
    assert(strpbrk("hello", "xyz") == 0);
    assert(strcasecmp("HeLLo", "hEllO") == 0);
    return 0;
}
