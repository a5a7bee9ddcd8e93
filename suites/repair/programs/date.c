/* The day of the year, or -1 for a date that does not exist. */
#define FEBRUARY 2

int leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_in(int month, int year)
{
    static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int n = days[month - 1];
    if (month == FEBRUARY && leap(year))
        n = n + 1;
    return n;
}

int day_of_year(int day, int month, int year)
{
    int sum = 0;
    int m;
    if (month < 1 || month > 12)
        return -1;
    if (day < 1 || day > days_in(month, year))
        return -1;
    for (m = 1; m < month; m++)
        sum += days_in(m, year);
    return sum + day;
}
