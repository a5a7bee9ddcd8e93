/* The greatest common divisor, never negative; gcd(0, 0) is 0. */
int gcd(int a, int b)
{
    int r;
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    while (b != 0) {
        r = a % b;
        a = b;
        b = r;
    }
    return a;
}
