// One member of a struct is forgotten.
#include <stdio.h>

struct account {
    int id;
    int balance;
};

int main(void) {
    struct account a;
    a.id = 4;
    printf("%d\n", a.id);
    int b = a.balance + 1; //~ ERROR uninitialised-read
    printf("%d\n", b);
    return 0;
}
