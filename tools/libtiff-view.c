/* A client of libtiff, for `make suite-represent`: prints the picture that a file of 8-bit grey or RGB samples shows.

   libtiff-view strips FILE   strips through TIFFReadEncodedStrip, as libtiff decodes them; the orientation is applied here
   libtiff-view rgba FILE     TIFFReadRGBAImageOriented, asked for the picture from its top left corner

   The first says whether libtiff reads the file. The second says what libtiff makes of the orientation: its manual has it that
   images are flipped and mirrored but never turned, so 5 to 8 are shown as stored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

static uint32_t width, length, per_strip;
static uint16_t samples, planar, orientation;
static unsigned char *stored;

/* The samples as they are stored, those of a pixel together. */
static int read_strips(TIFF *file)
{
    uint32_t strips = TIFFNumberOfStrips(file), in_plane = (length + per_strip - 1) / per_strip;
    unsigned char *strip = malloc(TIFFStripSize(file));
    stored = malloc((size_t)width * length * samples);
    for (uint32_t i = 0; i < strips; i++) {
        uint32_t plane = i / in_plane, first = i % in_plane * per_strip;
        tmsize_t size = TIFFReadEncodedStrip(file, i, strip, -1);
        uint16_t together = planar == PLANARCONFIG_SEPARATE ? 1 : samples;
        if (size < 0)
            return 1;
        for (tmsize_t at = 0; at < size; at++)
            stored[((size_t)first * width + at / together) * samples + (together == 1 && samples > 1 ? plane : at % together)] = strip[at];
    }
    return 0;
}

static void show_strips(void)
{
    int turned = orientation > 4;
    uint32_t columns = turned ? length : width, rows = turned ? width : length;
    printf("%u %u %u\n", columns, rows, samples);
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            uint32_t row = turned ? x : y, column = turned ? y : x;
            if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7)
                row = length - 1 - row;
            if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8)
                column = width - 1 - column;
            fwrite(stored + ((size_t)row * width + column) * samples, 1, samples, stdout);
        }
}

int main(int argc, char **argv)
{
    TIFF *file = argc == 3 ? TIFFOpen(argv[2], "r") : NULL;
    if (!file)
        return 2;
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &length);
    TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &per_strip);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &orientation);
    if (!strcmp(argv[1], "strips")) {
        if (read_strips(file))
            return 1;
        show_strips();
        return 0;
    }
    uint32_t *raster = malloc((size_t)width * length * sizeof *raster);
    if (!TIFFReadRGBAImageOriented(file, width, length, raster, ORIENTATION_TOPLEFT, 1))
        return 1;
    printf("%u %u\n", width, length);
    for (size_t i = 0; i < (size_t)width * length; i++)
        fwrite(raster + i, 1, 4, stdout);
    return 0;
}
