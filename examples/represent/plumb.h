/* What normalisation programs use besides C. They compile and run anywhere as they are.

   assume(c)             inputs for which c does not hold are not representations
   PLUMB_SUM(i, n, e)    the sum of e for i = 0 … n-1, as the first length of a parameter: int x[PLUMB_SUM(i, n, r[i])]

   C has no expression for a sum, and does not look at the first length of a parameter; so only plumb sees it. */
#ifndef PLUMB_H
#define PLUMB_H

#ifdef __PLUMB__
void assume(int holds);
#define PLUMB_SUM(i, n, e) \
    ({ int i; int plumb_sum = 0; for (i = 0; i < (n); i++) plumb_sum = plumb_sum + (e); plumb_sum; })
#else
#include <stdlib.h>
#define assume(holds) ((holds) ? (void)0 : abort())
#define PLUMB_SUM(i, n, e) 1
#endif

#endif
