//@ class: datamodel
//@ args: prove
//@ twin: proved
#include <assert.h>
struct s { char c; int i __attribute__((packed)); };

int main(void)
{
    assert(sizeof(struct s) == 5);
    return 0;
}
