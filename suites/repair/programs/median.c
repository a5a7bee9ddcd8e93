/* The middle one of three numbers. */
int median(int a, int b, int c)
{
    int m = c;
    if (b < c) {
        if (a < b)
            m = b;
        else if (a < c)
            m = a;
    } else {
        if (a > b)
            m = b;
        else if (a > c)
            m = a;
    }
    return m;
}
