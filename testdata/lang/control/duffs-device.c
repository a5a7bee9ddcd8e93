// Duff's device: case labels inside a loop body that belongs to the switch.
#include <stdio.h>

static int steps;

static void copy(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            steps++;
            *to++ = *from++;
        case 7: *to++ = *from++;
        case 6: *to++ = *from++;
        case 5: *to++ = *from++;
        case 4: *to++ = *from++;
        case 3: *to++ = *from++;
        case 2: *to++ = *from++;
        case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

int main(void) {
    const char source[] = "the quick brown fox jumps over the lazy dog";
    char target[64];
    for (int len = 1; len < (int)sizeof source; len += 5) {
        copy(target, source, len);
        target[len] = '\0';
        printf("%2d %s\n", len, target);
    }
    printf("%d\n", steps);
    return steps;
}
