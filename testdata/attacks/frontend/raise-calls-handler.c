//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
#include <signal.h>
static volatile int seen;
static void note(int number) { seen = number; }
int main(void)
{
    signal(SIGUSR1, note);
    raise(SIGUSR1);
    assert(seen == 0);
    return 0;
}
