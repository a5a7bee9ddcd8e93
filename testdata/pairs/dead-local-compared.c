// The address of a local of a call that has returned is compared with another (6.2.4p2).
#include <stdio.h>

static int *last;

static void note(void) {
    int local = 3;
    last = &local;
#ifdef TWIN
    static int kept;
    kept = local;
    last = &kept;
#endif
}

int main(void) {
    int mine = 1;
    note();
    printf("%d\n", last == &mine); //~ ERROR use-after-scope
    return 0;
}
