//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
#include <stdio.h>
int f(int a, int b) {
    char s[40];
    sprintf(s, "%p", (void *)s);
    return a + b + (s[6] == '7' && s[7] == '7' && s[8] == '7' && s[5] == '7' ? a : 0);
}
