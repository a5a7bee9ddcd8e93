// Calendar arithmetic: leap years, day of week, day numbers and back, over several centuries.
#include <stdio.h>

struct date { int y, m, d; };

static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
static int month_days(int y, int m) {
    static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[m - 1] + (m == 2 && leap(y));
}
static long number(struct date t) {
    int y = t.m <= 2 ? t.y - 1 : t.y;
    int era = y / 400, yoe = y - era * 400, mp = (t.m + 9) % 12;
    int doy = (153 * mp + 2) / 5 + t.d - 1;
    return era * 146097L + yoe * 365L + yoe / 4 - yoe / 100 + doy;
}
static struct date next_day(struct date t) {
    if (++t.d > month_days(t.y, t.m)) {
        t.d = 1;
        if (++t.m > 12) {
            t.m = 1;
            t.y++;
        }
    }
    return t;
}
static const char *weekday(struct date t) {
    static const char *names[] = {"Wed", "Thu", "Fri", "Sat", "Sun", "Mon", "Tue"};
    return names[number(t) % 7];
}

int main(void) {
    struct date t[] = {{2000, 1, 1}, {1900, 3, 1}, {2024, 2, 29}, {1969, 7, 20}, {2023, 12, 31}};
    for (int i = 0; i < 5; i++)
        printf("%04d-%02d-%02d %s\n", t[i].y, t[i].m, t[i].d, weekday(t[i]));
    printf("%ld\n", number(t[0]) - number(t[3]));
    struct date walk = {1999, 12, 25};
    int consistent = 1, fridays = 0;
    for (int i = 0; i < 1000; i++) {
        struct date n = next_day(walk);
        consistent &= number(n) == number(walk) + 1;
        fridays += n.d == 13 && weekday(n)[0] == 'F';
        walk = n;
    }
    printf("%d %d %d-%d-%d\n", consistent, fridays, walk.y, walk.m, walk.d);
    int leaps = 0;
    for (int y = 1800; y <= 2100; y++)
        leaps += leap(y);
    return leaps;
}
