/* Answers a query on standard input; only the query "st:" gets the number of hits as well. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    char query[3];
    uint32_t hits = 7;
    if (fread(query, 1, sizeof query, stdin) != sizeof query)
        return 1;
    putchar('+');
    if (query[0] == 's' && query[1] == 't' && query[2] == ':')
        fwrite(&hits, sizeof hits, 1, stdout);
    return 0;
}
