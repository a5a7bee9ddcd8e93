// strtok with changing delimiters, strdup of tokens, and a strtok_r loop nested in another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[] = ",,alpha, beta;gamma ,delta,";
    int n = 0;
    char *kept[8];
    for (char *t = strtok(line, ","); t; t = strtok(NULL, n == 2 ? ";, " : ",")) {
        printf("[%s]", t);
        kept[n++] = strdup(t);
    }
    printf("\n");
    size_t total = 0;
    for (int i = 0; i < n; i++) {
        total += strlen(kept[i]);
        free(kept[i]);
    }
    printf("%d %zu\n", n, total);
    char table[] = "a=1;b=22;c=333";
    char *outer, *inner;
    for (char *pair = strtok_r(table, ";", &outer); pair; pair = strtok_r(NULL, ";", &outer)) {
        char *key = strtok_r(pair, "=", &inner);
        char *value = strtok_r(NULL, "=", &inner);
        printf("%s -> %d\n", key, atoi(value));
    }
    char empty[] = ";;;";
    printf("%d\n", strtok(empty, ";") == NULL);
    return (int)total;
}
