// Dereferencing an integer that was never an address.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uintptr_t address = 0x1234;
    int *p = (int *)address;
    printf("%d\n", p != NULL);
    *p = 5; //~ ERROR invalid-pointer
    return 0;
}
