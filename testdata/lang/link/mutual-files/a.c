// Mutual recursion across files, with a counter owned by each of them.
#include <stdio.h>

int even_b(unsigned n);
int b_calls(void);
int calls = 0;
int odd_a(unsigned n) {
    calls++;
    return n == 0 ? 0 : even_b(n - 1);
}

int main(void) {
    printf("%d %d\n", odd_a(21), odd_a(20));
    printf("%d %d\n", calls, b_calls());
    return calls + b_calls();
}
