// Reads an amount, and takes a negative one for a mistake.
#include <stdio.h>

int main(void)
{
    int amount;
    if (scanf("%d", &amount) != 1 || amount < 0)
        return 1;
    return 0;
}
