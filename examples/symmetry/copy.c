/* Copies A to B. If A is permuted, B is permuted alike: Ψn,n. */
void copy(int *B, const int *A, int n) {
    for (int i = 0; i < n; i++)
        B[i] = A[i];
}
