//@ class: frontend
//@ args: reach --target 12
//@ never: unreachable
#include <setjmp.h>
#include <stdio.h>
int main(void)
{
    jmp_buf place;
    switch (setjmp(place)) {
    case 0: longjmp(place, 5);
    case 5:
        puts("here");
    }
    return 0;
}
