// switch with fall-through, default in the middle, and cases that share a body.
#include <stdio.h>

static int classify(int n) {
    int r = 0;
    switch (n) {
    case 0:
        r += 1;
        /* falls through */
    case 1:
        r += 10;
    default:
        r += 100;
    case 2:
    case 3:
        r += 1000;
        break;
    case -4:
        r = -1;
    }
    return r;
}

int main(void) {
    int total = 0;
    for (int i = -5; i < 6; i++) {
        printf("%d -> %d\n", i, classify(i));
        total += classify(i);
    }
    switch (total) {
        printf("never reached\n");
    case 7:
        printf("seven\n");
    }
    switch (3)
    case 3: printf("a switch with one statement\n");
    switch (total) {
    }
    return total % 120;
}
