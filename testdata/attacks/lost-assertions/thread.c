//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
#include <pthread.h>
static void *work(void *given) {
    assert(given != 0);
    return given;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (;;) {}
}
