/* TIFF images in strips, without compression: the picture that a file shows.

   The strips stand anywhere in the file, in any order, with unused rows between them; all but the last have
   rows_per_strip rows. The orientation says which corner of the picture the first pixel is, and whether its first row
   is a row of the picture or a column. A pixel is one number, whatever the byte order and whether its samples stand
   together (planar 1) or apart (planar 2). */
#include "plumb.h"

#define STORED(SHOWN)                                                      \
    for (int i = 0; i < strips; i++) {                                     \
        assume(1 <= rows[i] && rows[i] <= rows_per_strip);                 \
        assume(rows[i] == rows_per_strip || i == strips - 1);              \
        for (int j = 0; j < rows[i]; j++) {                                \
            for (int k = 0; k < width; k++)                                \
                SHOWN = pixels[offset[i] + j][k];                          \
            m = m + 1;                                                     \
        }                                                                  \
    }

void tiff(int orientation, int big_endian, int planar, int samples, int width, int length, int strips,
          int rows_per_strip, const int offset[strips], const int rows[strips], int slots,
          const unsigned int pixels[slots][width], int *channels,
          unsigned int picture[orientation <= 4 ? length : width][orientation <= 4 ? width : length])
{
    int m = 0; /* the row of the file, from the top of the first strip */

    *channels = samples;
    assume(big_endian == 0 || big_endian == 1);
    assume(planar == 1 || (planar == 2 && samples > 1));
    assume(rows_per_strip >= 1);
    switch (orientation) {
    case 1: /* rows from the top, pixels from the left */
        STORED(picture[m][k])
        break;
    case 2: /* from the top, from the right */
        STORED(picture[m][width - 1 - k])
        break;
    case 3: /* from the bottom, from the right */
        STORED(picture[length - 1 - m][width - 1 - k])
        break;
    case 4: /* from the bottom, from the left */
        STORED(picture[length - 1 - m][k])
        break;
    case 5: /* columns from the left, pixels from the top */
        STORED(picture[k][m])
        break;
    case 6: /* columns from the right, pixels from the top */
        STORED(picture[k][length - 1 - m])
        break;
    case 7: /* columns from the right, pixels from the bottom */
        STORED(picture[width - 1 - k][length - 1 - m])
        break;
    case 8: /* columns from the left, pixels from the bottom */
        STORED(picture[width - 1 - k][m])
        break;
    default:
        assume(0);
    }
    assume(m == length);
}
