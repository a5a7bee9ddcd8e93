//@ class: datamodel
//@ args: prove -- -finstrument-functions
//@ never: proved
#include <assert.h>
int calls;
void __attribute__((no_instrument_function)) __cyg_profile_func_enter(void *f, void *c) { calls++; }
void __attribute__((no_instrument_function)) __cyg_profile_func_exit(void *f, void *c) { }

int main(void)
{
    assert(calls == 0);
    return 0;
}
