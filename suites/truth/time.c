// Dates, clocks and intervals.
int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(int month, int leap) {
    if (month < 1 || month > 12) return 0;
    if (month == 2) return leap ? 29 : 28;
    return 30 + (month + month / 8) % 2;
}

long days_from_civil(int y, int m, int d) {
    if (m < 1 || m > 12 || d < 1 || d > 31 || y < -10000 || y > 10000) return 0;
    y -= m <= 2;
    long era = (y >= 0 ? y : y - 399) / 400;
    long yoe = y - era * 400;
    long doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    long doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + doe - 719468;
}

int weekday(long days) { return (int)(days >= -4 ? (days + 4) % 7 : (days + 5) % 7 + 6); }

int minutes_between(int from_hour, int from_minute, int to_hour, int to_minute) {
    if (from_hour < 0 || from_hour > 23 || to_hour < 0 || to_hour > 23) return -1;
    if (from_minute < 0 || from_minute > 59 || to_minute < 0 || to_minute > 59) return -1;
    int minutes = to_hour * 60 + to_minute - from_hour * 60 - from_minute;
    if (minutes < 0) minutes += 1440;
    return minutes;
}

int split_seconds(int total) {
    if (total < 0) return -1;
    int hours = total / 3600, minutes = total % 3600 / 60, seconds = total % 60;
    return hours * 10000 + minutes * 100 + seconds;
}

int overlap(int a, int b, int c, int d) {
    if (a > b || c > d) return 0;
    int low = a > c ? a : c, high = b < d ? b : d;
    return low <= high;
}

unsigned elapsed_ticks(unsigned now, unsigned then) { return now - then; }

int backoff(int attempt) {
    int delay = 100;
    for (int i = 0; i < attempt && delay < 30000; i++) delay *= 2;
    if (delay > 30000) delay = 30000;
    return delay;
}
