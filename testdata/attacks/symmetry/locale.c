//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
// What others have set is not in the arguments.
#include <locale.h>
int f(int a, int b) {
    return a + b + (*localeconv()->decimal_point == ',');
}
