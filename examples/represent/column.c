/* A client with a bug: it reads a column of a surface as if there were nothing between the rows. The surface comes as
   the JSON object that `plumb represent` writes. With the second argument 1 it uses the pitch, as it should. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long number(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtol(strchr(at, ':') + 1, NULL, 10) : 0;
}

int main(int argc, char **argv)
{
    static char text[1 << 20];
    static long surface[1 << 18];
    if (argc < 3)
        return 2;
    FILE *file = fopen(argv[1], "r");
    if (!file || fread(text, 1, sizeof text - 1, file) == 0)
        return 2;
    long height = number(text, "\"height\""), width = number(text, "\"width\""), pitch = number(text, "\"pitch\"");
    char *at = strchr(strstr(text, "\"surface\""), '[') + 1;
    for (long i = 0; i < pitch * height && i < 1 << 18; i++, at++)
        surface[i] = strtol(at, &at, 10);
    long step = atoi(argv[2]) ? pitch : width;
    for (long i = 0; i < height; i++)
        printf("%ld\n", surface[step * i + 1]);
    return 0;
}
