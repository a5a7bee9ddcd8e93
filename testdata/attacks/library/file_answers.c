//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    FILE *f = fopen("notes", "r");
    if (f) {
        assert(fgetc(f) != 'x');
        assert(fgetc(f) != 255);
        assert(!feof(f) && !ferror(f));
        assert(fclose(f) == 0);
    }
    assert(f != NULL);
    assert(remove("notes") == 0);
    assert(access("notes", R_OK) != 0);
    return 0;
}
