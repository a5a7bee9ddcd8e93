/* Sorts in place. However A was arranged before, it is the same afterwards: Ψn,n with every image the identity. */
void sort(int *A, int n) {
    for (int i = 1; i < n; i++) {
        int value = A[i], j = i;
        for (; j > 0 && A[j - 1] > value; j--)
            A[j] = A[j - 1];
        A[j] = value;
    }
}
