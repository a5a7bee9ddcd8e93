/* The middle one of three numbers, with a fault in the first branch: it gives j where it should give i. */
int getmid(int i, int j, int k) {
    int mid = k;
    if (j < k) {
        if (i < j)
            mid = j;
        else if (i < k)
            mid = j;
    } else {
        if (i > j)
            mid = j;
        else if (i > k)
            mid = i;
    }
    return mid;
}
