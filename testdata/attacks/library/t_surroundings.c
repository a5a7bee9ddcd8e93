//@ class: library
//@ args: prove
//@ twin: proved assert
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void) {
    time_t kept;
    time_t given = time(&kept);
    assert(kept == given);
    signal(SIGPIPE, SIG_IGN);
    assert(rand() >= 0);
    int sum = 5;
    const char *home = getenv("HOME");
    if (home) printf("%s %.3s\n", home, home);
    FILE *f = fopen("notes", "r+");
    if (f) {
        int c = fgetc(f);
        assert(c >= -1 && c <= 255);
        fprintf(f, "%d\n", c);
        if (ferror(f)) fprintf(stderr, "notes: %s\n", strerror(c));
        fclose(f);
    }
    assert(sum == 5);
    return 0;
}
