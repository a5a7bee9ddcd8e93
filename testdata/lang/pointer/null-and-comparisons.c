// Null pointers of several types, truth values of pointers, equality across casts.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static int none(void) { return 5; }

static const char *describe(const void *p) { return p ? "set" : "null"; }

int main(void) {
    int *ip = NULL;
    char *cp = 0;
    double *dp = (void *)0;
    int (*fp)(void) = NULL;
    int x = 0;
    printf("%s %s %s\n", describe(ip), describe(cp), describe(dp));
    printf("%d %d %d\n", !ip, ip == NULL, fp == NULL);
    ip = &x;
    fp = none;
    printf("%d %d %s\n", !ip, !!fp, describe(ip));
    printf("%d\n", (void *)ip == (void *)&x);
    uintptr_t bits = (uintptr_t)ip;
    printf("%d\n", (int *)bits == ip);
    printf("%d\n", (uintptr_t)cp == 0);
    int a[2] = {1, 2};
    printf("%d %d\n", &a[0] == a, &a[1] > &a[0]);
    printf("%d\n", (void *)&a == (void *)&a[0]);
    struct { int first, second; } s = {8, 9};
    printf("%d\n", *(int *)&s);
    printf("%d\n", &s.first < &s.second);
    if (ip && fp && fp() == 5)
        return 31;
    return 0;
}
