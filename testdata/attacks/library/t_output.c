//@ class: library
//@ args: prove
//@ twin: proved assert
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int kept = 0;
    int *p = &kept;
    setbuf(stdout, NULL);
    setvbuf(stderr, 0, _IONBF, 0);
    while (__VERIFIER_nondet_int()) {
        *p = 5;
        printf("%d%% of %s\n", kept, "all");
        fprintf(stderr, "%5ld", 7L);
        assert(kept == 5);
    }
    return 0;
}
