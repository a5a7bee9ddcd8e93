//~ sample: {"hours": 2, "minutes": 7, "seconds": 40}
//~ variants: 24
//~ fields: hours, minutes, seconds
/* A duration whose parts may run over. */
#include "plumb.h"

void clock(int hours, int minutes, int seconds, int *total)
{
    assume(hours >= 0 && minutes >= 0 && seconds >= 0);
    *total = 3600 * hours + 60 * minutes + seconds;
}
