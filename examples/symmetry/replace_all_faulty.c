/* Replaces one value by another, with a fault: only the first occurrence is replaced. */
_Bool replace_all(int *A, int n, int old, int new) {
    for (int i = 0; i < n; i++)
        if (A[i] == old) {
            A[i] = new;
            return 1;
        }
    return 0;
}
