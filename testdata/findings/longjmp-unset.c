// longjmp with a buffer that setjmp never filled.
#include <setjmp.h>

static jmp_buf place;

int main(void) {
    longjmp(place, 1); //~ ERROR invalid-pointer
}
