// Vectors, complex numbers, _Float128 and nested functions that nobody uses cost nothing.
#include <stdio.h>
#include <immintrin.h>
#include <complex.h>
typedef int v4 __attribute__((vector_size(16)));
struct hold { v4 v; int n; };
v4 add(v4 a, v4 b) { return a + b; }
double norm(double complex z) { return creal(z); }
_Float128 q(_Float128 x) { return x; }
static inline int first(v4 a) { return a[0]; }
double _Complex gz; extern v4 gv;
int nest(int x) { int sq(int a) { return a * a; } return sq(x); }
int main(void) { printf("%d\n", 3); return 0; }
