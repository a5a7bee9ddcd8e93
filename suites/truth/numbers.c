// Small arithmetic: roots, divisors, rounding.
unsigned isqrt(unsigned n) {
    unsigned low = 0, high = 65536;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (middle * middle <= n) low = middle;
        else high = middle;
    }
    return low;
}

int gcd(int a, int b) {
    if (a < 0 || b < 0) return -1;
    while (b) {
        int r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int clamp(int x, int low, int high) {
    if (x < low) return low;
    if (x > high) return high;
    return x;
}

int median3(int a, int b, int c) {
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    if (b > c) b = c;
    return a > b ? a : b;
}

int sign(int x) { return (x > 0) - (x < 0); }

int floor_div(int a, int b) {
    if (b == 0 || (b == -1 && a < -2147483647)) return 0;
    int q = a / b;
    if (a % b != 0 && (a < 0) != (b < 0)) q--;
    return q;
}

int absolute(int x) { return x < 0 ? -x : x; }

int percent(int part, int whole) {
    if (whole <= 0 || part < 0 || part > whole || part > 20000000) return -1;
    return part * 100 / whole;
}

int triangle_kind(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0 || a > 10000 || b > 10000 || c > 10000) return 0;
    if (a + b <= c || b + c <= a || a + c <= b) return 0;
    if (a == b && b == c) return 3;
    if (a == b || b == c || a == c) return 2;
    return 1;
}

int collatz(int n) {
    int steps = 0;
    while (n > 1 && n < 500000000 && steps < 1000) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

int power_mod(int base, int exponent, int modulus) {
    if (base < 0 || exponent < 0 || modulus < 1 || modulus > 40000) return -1;
    int result = 1 % modulus;
    base %= modulus;
    while (exponent > 0) {
        if (exponent & 1) result = result * base % modulus;
        base = base * base % modulus;
        exponent >>= 1;
    }
    return result;
}

int digit_sum(int n) {
    int sum = 0;
    if (n < 0) return -1;
    while (n > 0) {
        sum += n % 10;
        n /= 10;
    }
    return sum;
}

unsigned fibonacci(unsigned n) {
    unsigned a = 0, b = 1;
    for (unsigned i = 0; i < n && i < 40; i++) {
        unsigned next = a + b;
        a = b;
        b = next;
    }
    return a;
}
