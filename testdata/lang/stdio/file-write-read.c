// fopen, fprintf, fputs, fclose, then reading back with fgets and fscanf; remove at the end.
#include <stdio.h>
#include <string.h>

int main(void) {
    FILE *f = fopen("table.txt", "w");
    if (!f)
        return 1;
    for (int i = 1; i <= 5; i++)
        fprintf(f, "row%d %d %.2f\n", i, i * i, i / 3.0);
    fputs("end\n", f);
    fclose(f);
    f = fopen("table.txt", "r");
    char name[16];
    int n, sum = 0;
    double d, total = 0;
    while (fscanf(f, "%15s %d %lf", name, &n, &d) == 3) {
        printf("%s=%d,%g\n", name, n, d);
        sum += n;
        total += d;
    }
    printf("%s %d %.2f\n", name, sum, total);
    rewind(f);
    char line[64];
    int lines = 0;
    while (fgets(line, sizeof line, f))
        lines++;
    printf("%d %d\n", lines, feof(f) != 0);
    fclose(f);
    f = fopen("table.txt", "a");
    fputs("appended\n", f);
    fclose(f);
    f = fopen("table.txt", "r");
    while (fgets(line, sizeof line, f))
        ;
    printf("%s", line);
    fclose(f);
    printf("%d\n", remove("table.txt"));
    printf("%d\n", fopen("table.txt", "r") == NULL);
    printf("%d\n", remove("table.txt") != 0);
    return sum;
}
