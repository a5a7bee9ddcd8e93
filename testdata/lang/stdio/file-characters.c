// fgetc, fputc, ungetc on a file, copying a file and comparing byte by byte.
#include <stdio.h>

static int copy(const char *from, const char *to) {
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out)
        return -1;
    int c, n = 0;
    while ((c = fgetc(in)) != EOF) {
        fputc(c, out);
        n++;
    }
    fclose(in);
    fclose(out);
    return n;
}

int main(void) {
    FILE *f = fopen("one.dat", "wb");
    for (int i = 0; i < 600; i++)
        fputc(i * 7 & 255, f);
    fclose(f);
    int n = copy("one.dat", "two.dat");
    FILE *a = fopen("one.dat", "rb"), *b = fopen("two.dat", "rb");
    int same = 0, x, y;
    while ((x = getc(a)) != EOF && (y = getc(b)) != EOF)
        same += x == y;
    rewind(a);
    int first = fgetc(a), second = fgetc(a);
    ungetc(second, a);
    int again = fgetc(a);
    printf("%d %d %d %d %d\n", n, same, first, second, again);
    fclose(a);
    fclose(b);
    printf("%d\n", copy("missing.dat", "never.dat"));
    remove("one.dat");
    remove("two.dat");
    remove("never.dat");
    return same % 126;
}
