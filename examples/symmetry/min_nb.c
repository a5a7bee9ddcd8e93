/* The m smallest of n numbers, sorted: sort after min_nb. The order of A makes no difference to B: Ψn,m. min_nb alone
   gives them in the order in which they stand in A, so of it the same is true as a collection (--compare multiset). */
void min_nb(const int *A, int n, int *B, int m) {
    int count = 0;
    for (int i = 0; i < n && count < m; i++) {
        int smaller = 0;
        for (int j = 0; j < n; j++)
            if (A[j] < A[i] || (A[j] == A[i] && j < i))
                smaller++;
        if (smaller < m)
            B[count++] = A[i];
    }
}

void sort(int *A, int n) {
    for (int i = 1; i < n; i++) {
        int value = A[i], j = i;
        for (; j > 0 && A[j - 1] > value; j--)
            A[j] = A[j - 1];
        A[j] = value;
    }
}

void smallest(const int *A, int n, int *B, int m) {
    min_nb(A, n, B, m);
    sort(B, m);
}
