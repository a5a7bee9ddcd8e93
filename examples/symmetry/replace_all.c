/* Replaces one value by another, and says whether it occurred. The array follows the order of its elements, what is
   returned does not depend on it. */
_Bool replace_all(int *A, int n, int old, int new) {
    _Bool found = 0;
    for (int i = 0; i < n; i++)
        if (A[i] == old) {
            A[i] = new;
            found = 1;
        }
    return found;
}
