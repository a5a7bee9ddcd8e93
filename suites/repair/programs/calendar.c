/* The day of the week, 0 for Sunday, of a date from 1583 on. */
int weekday(int day, int month, int year)
{
    int k, j, h;
    if (month < 3) {
        month += 12;
        year -= 1;
    }
    k = year % 100;
    j = year / 100;
    h = (day + 13 * (month + 1) / 5 + k + k / 4 + j / 4 + 5 * j) % 7;
    return (h + 6) % 7;
}
