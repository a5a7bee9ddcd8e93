/* A small reader of TIFF files in strips, to try variants on: prints the picture, a row a line.

   show FILE           every orientation is honoured
   show FILE ignore    none is
   show FILE half      only those that keep rows rows
   show FILE eager     strips are read one behind the other, from where the first one stands */
#include <stdio.h>
#include <string.h>

static unsigned char file[1 << 22];
static int big;

static unsigned long number(unsigned long at, int width)
{
    unsigned long value = 0;
    for (int i = 0; i < width; i++)
        value = value << 8 | file[at + (big ? i : width - 1 - i)];
    return value;
}

/* Element `which` of the directory entry at `at`. */
static unsigned long element(unsigned long at, unsigned long which)
{
    int width = number(at + 2, 2) == 3 ? 2 : 4;
    unsigned long start = number(at + 4, 4) * width <= 4 ? at + 8 : number(at + 8, 4);
    return number(start + which * width, width);
}

int main(int argc, char **argv)
{
    unsigned long tags[400] = {0};
    const char *mode = argc > 2 ? argv[2] : "";
    FILE *input = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!input || fread(file, 1, sizeof file, input) < 8)
        return 2;
    big = file[0] == 'M';
    unsigned long directory = number(4, 4);
    for (unsigned long i = 0; i < number(directory, 2); i++) {
        unsigned long at = directory + 2 + 12 * i;
        if (number(at, 2) < 400)
            tags[number(at, 2)] = at;
    }
    long width = element(tags[256], 0), length = element(tags[257], 0), samples = element(tags[277], 0);
    long orientation = element(tags[274], 0), per_strip = element(tags[278], 0), planar = element(tags[284], 0);
    long strips = (length + per_strip - 1) / per_strip;
    if (!strcmp(mode, "ignore") || (!strcmp(mode, "half") && orientation > 4))
        orientation = 1;
    int turned = orientation > 4;
    for (long y = 0; y < (turned ? width : length); y++) {
        for (long x = 0; x < (turned ? length : width); x++) {
            long row = turned ? x : y, column = turned ? y : x;
            if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7)
                row = length - 1 - row;
            if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8)
                column = width - 1 - column;
            for (long s = 0; s < samples; s++) {
                long strip = row / per_strip, inside = (row % per_strip) * width + column;
                unsigned long start = element(tags[273], planar == 2 ? s * strips + strip : strip);
                if (!strcmp(mode, "eager")) {
                    start = element(tags[273], planar == 2 ? s * strips : 0);
                    inside = row * width + column;
                }
                printf("%d ", file[start + (planar == 2 ? inside : inside * samples + s)]);
            }
        }
        printf("\n");
    }
    return 0;
}
