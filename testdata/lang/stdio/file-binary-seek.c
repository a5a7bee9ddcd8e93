// fread, fwrite, fseek with all origins, ftell, and update mode on a binary file.
#include <stdio.h>
#include <stdint.h>

struct record {
    int32_t id;
    char tag[4];
    double value;
};

int main(void) {
    FILE *f = fopen("records.bin", "wb+");
    if (!f)
        return 1;
    for (int i = 0; i < 6; i++) {
        struct record r = {i * 11, {(char)('a' + i)}, i * 0.5};
        if (fwrite(&r, sizeof r, 1, f) != 1)
            return 2;
    }
    printf("%ld\n", ftell(f));
    struct record r;
    fseek(f, 2 * (long)sizeof r, SEEK_SET);
    fread(&r, sizeof r, 1, f);
    printf("%d %g %s\n", r.id, r.value, r.tag);
    fseek(f, -(long)sizeof r, SEEK_END);
    fread(&r, sizeof r, 1, f);
    printf("%d %g %s\n", r.id, r.value, r.tag);
    fseek(f, -3 * (long)sizeof r, SEEK_CUR);
    fread(&r, sizeof r, 1, f);
    printf("%d %ld\n", r.id, ftell(f));
    r.value = 99.5;
    fseek(f, 3 * (long)sizeof r, SEEK_SET);
    fwrite(&r, sizeof r, 1, f);
    rewind(f);
    struct record all[10];
    size_t n = fread(all, sizeof r, 10, f);
    printf("%zu %d %g\n", n, feof(f) != 0, all[3].value);
    int at_end = fgetc(f);
    printf("%d\n", at_end == EOF);
    clearerr(f);
    printf("%d %d\n", feof(f), ferror(f));
    fclose(f);
    remove("records.bin");
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += all[i].id;
    return sum % 126;
}
