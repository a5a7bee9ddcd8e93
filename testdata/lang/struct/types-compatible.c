// Types that the compiler calls compatible, enumerations among them.
#include <stdio.h>
enum a { A }; enum b { B }; struct s { int x; }; typedef int I; typedef const int CI;
#define TC(x, y) printf("%d ", __builtin_types_compatible_p(x, y))
int f1(int), f2(unsigned);
int main(void) {
    TC(enum a, enum b);
    TC(enum a, enum a);
    TC(enum a, unsigned);
    TC(enum a *, enum b *);
    TC(int, I);
    TC(int, CI);
    TC(int[], int[5]);
    TC(int[4], int[5]);
    TC(char, signed char);
    TC(char, unsigned char);
    TC(long, long long);
    TC(int (*)(int), int (*)(I));
    TC(int (*)(), int (*)(int));
    TC(struct s, struct s);
    TC(const int *, int *);
    TC(typeof(f1), typeof(f2));
    TC(float, double);
    TC(void *, char *);
    TC(int *, int *const);
    TC(short, short int);
    printf("\n");
    return 0;
}
