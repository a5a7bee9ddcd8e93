// Wraps and justifies paragraphs to a width read from the arguments.
//~ args: 28
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void emit(char **w, int n, int width, int last) {
    int letters = 0;
    for (int i = 0; i < n; i++)
        letters += (int)strlen(w[i]);
    int gaps = n - 1, space = width - letters;
    for (int i = 0; i < n; i++) {
        fputs(w[i], stdout);
        if (i == gaps)
            break;
        int k = last ? 1 : space / (gaps - i);
        space -= k;
        while (k--)
            putchar(' ');
    }
    putchar('\n');
}

int main(int argc, char **argv) {
    int width = argc > 1 ? atoi(argv[1]) : 40;
    char text[] = "A program is a message to two readers at once, and only one of them never gets tired; "
                  "therefore write for the other one, who does. Names matter.";
    char *line[40];
    int n = 0, len = 0, lines = 0;
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) {
        int k = (int)strlen(w);
        if (n && len + n + k > width) {
            emit(line, n, width, 0);
            lines++;
            n = len = 0;
        }
        line[n++] = w;
        len += k;
    }
    emit(line, n, width, 1);
    return lines + 1;
}
