/* The middle one of three numbers. It does not depend on their order: Ψ3,1. */
int getmid(int i, int j, int k) {
    int mid = k;
    if (j < k) {
        if (i < j)
            mid = j;
        else if (i < k)
            mid = i;
    } else {
        if (i > j)
            mid = j;
        else if (i > k)
            mid = i;
    }
    return mid;
}
