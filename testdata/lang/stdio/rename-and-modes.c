// rename, the r+ and a modes, and positions after writes.
#include <stdio.h>

static void print_file(const char *name) {
    FILE *f = fopen(name, "r");
    int c;
    while ((c = fgetc(f)) != EOF)
        putchar(c);
    putchar('\n');
    fclose(f);
}

int main(void) {
    FILE *f = fopen("modes.txt", "w");
    fputs("0123456789", f);
    fclose(f);
    f = fopen("modes.txt", "r+");
    fseek(f, 3, SEEK_SET);
    fputs("abc", f);
    fseek(f, 0, SEEK_CUR);
    int next = fgetc(f);
    printf("%c %ld\n", next, ftell(f));
    fclose(f);
    print_file("modes.txt");
    f = fopen("modes.txt", "a");
    fputs("++", f);
    printf("%ld\n", ftell(f));
    fclose(f);
    print_file("modes.txt");
    printf("%d\n", rename("modes.txt", "moved.txt"));
    print_file("moved.txt");
    f = fopen("moved.txt", "w");
    fclose(f);
    f = fopen("moved.txt", "r");
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    fclose(f);
    remove("moved.txt");
    return (int)size + next - '0';
}
