/* Copies A to B, with a fault: the last element is left out. */
void copy(int *B, const int *A, int n) {
    for (int i = 0; i + 1 < n; i++)
        B[i] = A[i];
}
