/* Prints the number of days in a month. */
#include <stdio.h>

#define FEBRUARY 3

int main(void)
{
    int month, year, days;
    if (scanf("%d %d", &month, &year) != 2) {
        printf("month and year, please\n");
        return 1;
    }
    days = 31;
    if (month == 4 || month == 6 || month == 9 || month == 11)
        days = 30;
    if (month == FEBRUARY) {
        days = 28;
        if ((year % 4 == 0 && year % 100 != 0) || year % 400 == 0)
            days = 29;
    }
    printf("%d\n", days);
    return 0;
}
