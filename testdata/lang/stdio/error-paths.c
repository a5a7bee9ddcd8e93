// Opening files that do not exist, reading at the end, perror-free error handling with errno.
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    errno = 0;
    FILE *f = fopen("does-not-exist.txt", "r");
    printf("%d %d\n", f == NULL, errno == ENOENT);
    f = fopen("empty.txt", "w");
    fclose(f);
    f = fopen("empty.txt", "r");
    char b[8] = "before";
    printf("%d %s\n", fgets(b, sizeof b, f) == NULL, b);
    printf("%d %d\n", feof(f) != 0, ferror(f) != 0);
    int x = 5;
    printf("%d %d\n", fscanf(f, "%d", &x) == EOF, x);
    printf("%zu\n", fread(b, 1, sizeof b, f));
    printf("%d\n", fclose(f));
    remove("empty.txt");
    printf("%s\n", strerror(ENOENT));
    return ENOENT;
}
