// Branching on a flag that was never set.
#include <stdio.h>

int main(int argc, char **argv) {
    int found;
    for (int i = 0; i < 3; i++)
        if (i == 7)
            found = 1;
    if (found) //~ ERROR uninitialised-read
        printf("found\n");
    return 0;
}
