// Kernel: counting words and letters of a text byte by byte through a pointer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 15000;
    static const char sentence[] = "the quick brown fox jumps over the lazy dog and goes on to the next line\n";
    static char text[8192];
    size_t used = 0;
    while (used + sizeof sentence < sizeof text) {
        memcpy(text + used, sentence, sizeof sentence - 1);
        used += sizeof sentence - 1;
    }
    long words = 0, letters = 0;
    for (int r = 0; r < rounds; r++) {
        int in = 0;
        for (const char *p = text; *p; p++) {
            if (*p == ' ' || *p == '\n') {
                in = 0;
            } else {
                letters++;
                if (!in)
                    words++;
                in = 1;
            }
        }
    }
    printf("%ld %ld\n", words, letters);
    return 0;
}
