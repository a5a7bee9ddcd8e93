/* Sound in RIFF/WAVE files, 16 bits a sample: the sound that a file holds.

   The chunks `fmt ` and `data` are what matters. Other chunks may stand before `fmt `, between the two and behind them;
   readers skip what they do not know. Here each of the three is one chunk `note` with any bytes, or none if its length
   is 0; chunks of odd length are filled up with one byte. `fmt ` may have 16 bytes, or 18 with an empty extension. */
#include "plumb.h"

void wav(int channels, int rate, int frames, const short sound[frames][channels], int format_size,
         int before, const unsigned char first[before], int between, const unsigned char middle[between],
         int behind, const unsigned char last[behind],
         int *tracks, int *speed, short samples[frames][channels])
{
    *tracks = channels;
    *speed = rate;
    assume(format_size == 16 || format_size == 18);
    assume(0 <= before && before <= 40);
    assume(0 <= between && between <= 40);
    assume(0 <= behind && behind <= 40);
    for (int i = 0; i < frames; i++)
        for (int j = 0; j < channels; j++)
            samples[i][j] = sound[i][j];
}

static long number(const unsigned char *bytes, long at, int width)
{
    unsigned long value = 0;
    for (int i = width - 1; i >= 0; i--)
        value = value << 8 | bytes[at + i];
    return (long)value;
}

static void put(unsigned char *bytes, long at, int width, long value)
{
    for (int i = 0; i < width; i++)
        bytes[at + i] = (unsigned long)value >> (8 * i) & 255;
}

static int is(const unsigned char *bytes, long at, const char *name)
{
    return bytes[at] == name[0] && bytes[at + 1] == name[1] && bytes[at + 2] == name[2] && bytes[at + 3] == name[3];
}

int load(long size, const unsigned char bytes[size], int *channels, int *rate, int *frames, short *sound,
         int *format_size, int *before, unsigned char *first, int *between, unsigned char *middle, int *behind,
         unsigned char *last)
{
    int seen = 0; /* 1 after `fmt `, 2 after `data` */
    if (size < 44 || !is(bytes, 0, "RIFF") || !is(bytes, 8, "WAVE"))
        return 1;
    for (long at = 12; at + 8 <= size;) {
        long length = number(bytes, at + 4, 4), start = at + 8;
        if (start + length > size)
            return 1;
        if (is(bytes, at, "fmt ") && seen == 0) {
            seen = 1;
            *format_size = (int)length;
            if ((length != 16 && length != 18) || number(bytes, start, 2) != 1 || number(bytes, start + 14, 2) != 16)
                return 1;
            *channels = (int)number(bytes, start + 2, 2);
            *rate = (int)number(bytes, start + 4, 4);
        } else if (is(bytes, at, "data") && seen == 1) {
            seen = 2;
            *frames = (int)(length / 2 / *channels);
            for (long i = 0; i < (long)*frames * *channels; i++) {
                long value = number(bytes, start + 2 * i, 2);
                sound[i] = (short)(value < 32768 ? value : value - 65536);
            }
        } else {
            int *count = seen == 0 ? before : seen == 1 ? between : behind;
            unsigned char *where = seen == 0 ? first : seen == 1 ? middle : last;
            if (*count != 0 || length > 40)
                return 1;
            *count = (int)length;
            for (long i = 0; i < length; i++)
                where[i] = bytes[start + i];
        }
        at = start + length + length % 2;
    }
    return seen == 2 ? 0 : 1;
}

static long chunk(unsigned char *bytes, long at, const char *name, long length)
{
    for (int i = 0; i < 4; i++)
        bytes[at + i] = name[i];
    put(bytes, at + 4, 4, length);
    return at + 8;
}

static long note(unsigned char *bytes, long at, int count, const unsigned char *from)
{
    if (count == 0)
        return at;
    at = chunk(bytes, at, "note", count);
    for (int i = 0; i < count; i++)
        bytes[at + i] = from[i];
    return at + count + count % 2;
}

long store(int channels, int rate, int frames, const short sound[frames][channels], int format_size,
           int before, const unsigned char first[before], int between, const unsigned char middle[between],
           int behind, const unsigned char last[behind], long size, unsigned char bytes[size])
{
    long length = 2L * frames * channels, at;
    if (length + 200 > size)
        return -1;
    chunk(bytes, 0, "RIFF", 0);
    for (int i = 0; i < 4; i++)
        bytes[8 + i] = "WAVE"[i];
    at = note(bytes, 12, before, first);
    at = chunk(bytes, at, "fmt ", format_size);
    put(bytes, at, 2, 1);
    put(bytes, at + 2, 2, channels);
    put(bytes, at + 4, 4, rate);
    put(bytes, at + 8, 4, 2L * rate * channels);
    put(bytes, at + 12, 2, 2L * channels);
    put(bytes, at + 14, 2, 16);
    at = note(bytes, at + format_size, between, middle);
    at = chunk(bytes, at, "data", length);
    for (int i = 0; i < frames; i++)
        for (int j = 0; j < channels; j++, at += 2)
            put(bytes, at, 2, sound[i][j] & 65535);
    at = note(bytes, at, behind, last);
    put(bytes, 4, 4, at - 8);
    return at;
}
