//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ twin: holds
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *const names[] = {"even", "odd"};
static char *plain[] = {"no", "yes"};
static int weights[4] = {1, 2, 3, 4};
struct pair { const char *name; int value; };
static int compare(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
int f(int a, int b) {
    int v[2] = {a, b};
    char text[40];
    struct pair p = {names[(a + b) & 1], weights[(a ^ b) & 3]}, q;
    qsort(v, 2, sizeof *v, compare);
    memcpy(&q, &p, sizeof q);
    snprintf(text, sizeof text, "%s %s %d", q.name, plain[a == b], q.value);
    return (int)strlen(text) + v[0];
}
