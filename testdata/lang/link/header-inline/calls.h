#pragma once
static int calls;
static const int LEVELS[] = {1, 2, 4};
#define CLAMP(x) ((x) < 0 ? 0 : (x) > 40 ? 40 : (x))
static inline int counted_square(int x) {
    static int largest;
    calls++;
    if (x > largest)
        largest = x;
    return x * x + largest;
}
static inline int calls_so_far(void) { return calls; }
