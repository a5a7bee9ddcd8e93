// argc, argv, and the terminating null pointer.
//~ args: one "two words" 3 --flag=x ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    printf("%d\n", argc);
    size_t total = 0;
    for (int i = 1; i < argc; i++) {
        printf("[%s] %zu\n", argv[i], strlen(argv[i]));
        total += strlen(argv[i]);
    }
    printf("%d %d\n", argv[argc] == NULL, argv[0] != NULL);
    char *eq = strchr(argv[4], '=');
    if (eq) {
        *eq = '\0';
        printf("%s -> %s\n", argv[4], eq + 1);
    }
    return (int)total + atoi(argv[3]);
}
