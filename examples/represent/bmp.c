/* Windows bitmaps of 8-bit grey or 24-bit colour: the picture that a file shows.

   Rows stand from the bottom up, or from the top down if the height is negative; in a pixel, blue comes first. Each row is
   filled up to a multiple of four bytes, with anything. The pixels start anywhere behind the headers. `load` and `store`
   read and write files. */
#include "plumb.h"

void bmp(int top_down, int width, int height, int channels, int stride, int gap,
         const unsigned char rows[height][stride], const unsigned char filler[gap],
         int *samples, unsigned char picture[height][width * channels])
{
    *samples = channels;
    assume(top_down == 0 || top_down == 1);
    assume(channels == 1 || channels == 3);
    assume(0 <= gap && gap <= 64);
    assume(stride % 4 == 0 && width * channels <= stride && stride < width * channels + 4);
    if (top_down == 1) {
        for (int i = 0; i < height; i++)
            for (int j = 0; j < width; j++)
                for (int s = 0; s < channels; s++)
                    picture[i][channels * j + s] = rows[i][channels * j + channels - 1 - s];
    } else {
        for (int i = 0; i < height; i++)
            for (int j = 0; j < width; j++)
                for (int s = 0; s < channels; s++)
                    picture[height - 1 - i][channels * j + s] = rows[i][channels * j + channels - 1 - s];
    }
}

static int number(const unsigned char *bytes, long at)
{
    unsigned int value = bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | (unsigned int)bytes[at + 3] << 24;
    return (int)value;
}

static void put(unsigned char *bytes, long at, int value)
{
    unsigned int bits = (unsigned int)value;
    bytes[at] = bits & 255;
    bytes[at + 1] = bits >> 8 & 255;
    bytes[at + 2] = bits >> 16 & 255;
    bytes[at + 3] = bits >> 24 & 255;
}

int load(long size, const unsigned char bytes[size], int *top_down, int *width, int *height, int *channels,
         int *stride, int *gap, unsigned char *rows, unsigned char *filler)
{
    if (size < 54 || bytes[0] != 'B' || bytes[1] != 'M' || number(bytes, 14) != 40 || number(bytes, 30) != 0)
        return 1;
    int bits = bytes[28];
    if (bits != 8 && bits != 24)
        return 1;
    int head = 54 + (bits == 8 ? 1024 : 0), start = number(bytes, 10), tall = number(bytes, 22);
    *width = number(bytes, 18);
    *top_down = tall < 0;
    *height = tall < 0 ? -tall : tall;
    *channels = bits / 8;
    *stride = (*width * *channels + 3) / 4 * 4;
    *gap = start - head;
    if (*gap < 0 || *gap > 64 || *width < 1 || *height < 1 || start + (long)*stride * *height > size)
        return 1;
    for (long i = 0; i < *gap; i++)
        filler[i] = bytes[head + i];
    for (long i = 0; i < (long)*stride * *height; i++)
        rows[i] = bytes[start + i];
    return 0;
}

long store(int top_down, int width, int height, int channels, int stride, int gap,
           const unsigned char rows[height][stride], const unsigned char filler[gap], long size, unsigned char bytes[size])
{
    int head = 54 + (channels == 1 ? 1024 : 0);
    long total = head + gap + (long)stride * height;
    if (total > size)
        return -1;
    bytes[0] = 'B';
    bytes[1] = 'M';
    put(bytes, 2, (int)total);
    put(bytes, 10, head + gap);
    put(bytes, 14, 40);
    put(bytes, 18, width);
    put(bytes, 22, top_down ? -height : height);
    bytes[26] = 1;
    bytes[28] = channels * 8;
    put(bytes, 34, stride * height);
    if (channels == 1) {
        put(bytes, 46, 256);
        for (int i = 0; i < 256; i++)
            put(bytes, 54 + 4 * i, i | i << 8 | i << 16);
    }
    for (int i = 0; i < gap; i++)
        bytes[head + i] = filler[i];
    for (int i = 0; i < height; i++)
        for (int j = 0; j < stride; j++)
            bytes[head + gap + (long)stride * i + j] = rows[i][j];
    return total;
}
