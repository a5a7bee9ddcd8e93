// Eight sorting algorithms on the same data, each compared with the first.
#include <stdio.h>
#include <string.h>

#define N 64
static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
static void bubble(int *a, int n) {
    for (int done = 0; !done;) {
        done = 1;
        for (int i = 1; i < n; i++)
            if (a[i - 1] > a[i])
                swap(&a[i - 1], &a[i]), done = 0;
    }
}
static void selection(int *a, int n) {
    for (int i = 0; i < n; i++) {
        int m = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[m])
                m = j;
        swap(&a[i], &a[m]);
    }
}
static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--)
            swap(&a[j - 1], &a[j]);
}
static void shell(int *a, int n) {
    for (int g = n / 2; g; g /= 2)
        for (int i = g; i < n; i++)
            for (int j = i; j >= g && a[j - g] > a[j]; j -= g)
                swap(&a[j - g], &a[j]);
}
static void quick(int *a, int n) {
    if (n < 2)
        return;
    int p = a[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (a[i] < p)
            i++;
        while (a[j] > p)
            j--;
        if (i <= j)
            swap(&a[i++], &a[j--]);
    }
    quick(a, j + 1);
    quick(a + i, n - i);
}
static void merge(int *a, int n) {
    if (n < 2)
        return;
    int h = n / 2, t[N];
    merge(a, h);
    merge(a + h, n - h);
    for (int i = 0, j = h, k = 0; k < n; k++)
        t[k] = j >= n || (i < h && a[i] <= a[j]) ? a[i++] : a[j++];
    memcpy(a, t, (size_t)n * sizeof *a);
}
static void sift(int *a, int i, int n) {
    for (int c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && a[c + 1] > a[c])
            c++;
        if (a[i] >= a[c])
            return;
        swap(&a[i], &a[c]);
    }
}
static void heap(int *a, int n) {
    for (int i = n / 2; i-- > 0;)
        sift(a, i, n);
    while (--n > 0) {
        swap(&a[0], &a[n]);
        sift(a, 0, n);
    }
}
static void counting(int *a, int n) {
    int c[512] = {0};
    for (int i = 0; i < n; i++)
        c[a[i] + 256]++;
    for (int v = 0, k = 0; v < 512; v++)
        while (c[v]--)
            a[k++] = v - 256;
}

int main(void) {
    void (*const sorts[])(int *, int) = {bubble, selection, insertion, shell, quick, merge, heap, counting};
    int data[N], ref[N], work[N], agree = 0;
    unsigned x = 12345;
    for (int i = 0; i < N; i++) {
        x = x * 1103515245u + 12345u;
        data[i] = (int)(x >> 16 & 511) - 256;
    }
    memcpy(ref, data, sizeof ref);
    bubble(ref, N);
    for (unsigned s = 0; s < sizeof sorts / sizeof *sorts; s++) {
        memcpy(work, data, sizeof work);
        sorts[s](work, N);
        agree += memcmp(work, ref, sizeof ref) == 0;
    }
    for (int i = 0; i < N; i += 8)
        printf("%d ", ref[i]);
    printf("\n%d\n", agree);
    return agree;
}
