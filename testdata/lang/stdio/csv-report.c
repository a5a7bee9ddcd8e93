// Parses CSV from standard input with quoted fields and prints an aligned report.
//~ stdin: name,qty,price\n"Bolt, large",10,0.25\nNut,200,.1\n"Say ""hi""",1,99\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int split(char *line, char *fields[], int max) {
    int n = 0;
    char *r = line;
    while (n < max) {
        char *w = r;
        fields[n++] = w;
        if (*r == '"') {
            for (r++; *r && !(*r == '"' && r[1] != '"'); r++) {
                if (*r == '"')
                    r++;
                *w++ = *r;
            }
            if (*r)
                r++;
        } else {
            while (*r && *r != ',')
                *w++ = *r++;
        }
        int more = *r == ',';
        r++;
        *w = '\0';
        if (!more)
            break;
    }
    return n;
}

int main(void) {
    char line[128], *f[4];
    double total = 0;
    int rows = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        int n = split(line, f, 4);
        if (rows++ == 0) {
            printf("%-14s %6s %8s\n", f[0], f[1], f[2]);
            continue;
        }
        double amount = atoi(f[1]) * atof(f[2]);
        printf("%-14s %6s %8.2f (%d)\n", f[0], f[1], amount, n);
        total += amount;
    }
    printf("%-14s %6s %8.2f\n", "total", "", total);
    return (int)total;
}
