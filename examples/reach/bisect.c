/* Binary search in eight numbers, with a check that the place found is right. */
int find(int key, int a[8]) {
    int low = 0, high = 8;
    for (int k = 1; k < 8; k++) {
        if (a[k - 1] > a[k])
            return -2; /* not in order */
    }
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < 8 && a[low] == key) /* cannot be: it would have been found */
        return low;
    return -1;
}
