// time.h on moments that are given: broken-down time and back, strftime, and the conventions of the C locale.
#include <locale.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    time_t moments[] = {0, 951782400, 1709164799, -86401, 4102444800};
    for (int i = 0; i < 5; i++) {
        struct tm *tm = gmtime(&moments[i]);
        char text[128];
        size_t n = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %W %u %w %y %C %e %I %p %D %T %R %%", tm);
        printf("%zu %s %d\n", n, text, timegm(tm) == moments[i]);
    }
    struct tm odd = {.tm_year = 124, .tm_mon = 13, .tm_mday = 45, .tm_hour = 30};
    time_t t = timegm(&odd);
    printf("%ld %d %d %d %d %d\n", (long)t, odd.tm_year, odd.tm_mon, odd.tm_mday, odd.tm_hour, odd.tm_yday);
    char small[4];
    printf("%zu\n", strftime(small, sizeof small, "%Y", &odd));
    struct lconv *conventions = localeconv();
    printf("[%s] [%s]\n", conventions->decimal_point, conventions->thousands_sep);
    return 0;
}
