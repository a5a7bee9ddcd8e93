/* Statistics of numbers: least, largest, sum of those that are not negative, how often the largest occurs, the longest
 * rising run, and the mean rounded down. */
#include <stdio.h>

#define MOST 100

int main(void)
{
    int a[MOST], n, i;
    int least, largest, times, sum, run, longest;
    if (scanf("%d", &n) != 1 || n < 1 || n > MOST)
        return 1;
    for (i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1)
            return 1;
    least = a[0];
    largest = a[0];
    times = 0;
    sum = 0;
    run = 1;
    longest = 1;
    for (i = 0; i < n; i++) {
        if (a[i] < least)
            least = a[i];
        if (a[i] > largest) {
            largest = a[i];
            times = 0;
        }
        if (a[i] == largest)
            times++;
        if (a[i] >= 0)
            sum += a[i];
        if (i > 0 && a[i] > a[i - 1])
            run++;
        else
            run = 1;
        if (run > longest)
            longest = run;
    }
    printf("%d %d %d %d %d %d\n", least, largest, sum, times, longest, sum / n);
    return 0;
}
