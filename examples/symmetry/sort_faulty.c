/* Sorts in place, with a fault: the first element is never moved past. */
void sort(int *A, int n) {
    for (int i = 1; i < n; i++) {
        int value = A[i], j = i;
        for (; j > 1 && A[j - 1] > value; j--)
            A[j] = A[j - 1];
        A[j] = value;
    }
}
