/* Collision-avoidance advisory: from what is known of two aircraft, whether to climb, to descend, or to do nothing.
 * Twelve integers as arguments; prints 0 (none), 1 (climb) or 2 (descend). */
#include <stdio.h>
#include <stdlib.h>

#define RATE_LIMIT 600       /* feet per minute */
#define CEILING_GAP 650      /* feet */
#define NEAR_GAP 350
#define CLIMB_BONUS 120
#define FLOOR 450

#define NONE 0
#define CLIMB 1
#define DESCEND 2

struct aircraft {
    int altitude;
    int rate;
};

struct aircraft own, other;
int separation;
int confident;
int valid;
int above_gap, below_gap;
int layer;
int coordinated;
int intent;
int inhibit;

const int margin[4] = { 380, 520, 610, 700 };

int required_gap(void)
{
    return margin[layer];
}

int own_is_lower(void)
{
    return own.altitude < other.altitude;
}

int own_is_higher(void)
{
    return other.altitude < own.altitude;
}

int biased_gap(void)
{
    return inhibit ? above_gap + CLIMB_BONUS : above_gap;
}

int climb_wins(void)
{
    int prefers_up = biased_gap() > below_gap;
    int result;
    if (prefers_up) {
        result = !own_is_lower() || (own_is_lower() && !(below_gap >= required_gap()));
    } else {
        result = own_is_higher() && separation >= NEAR_GAP && above_gap >= required_gap();
    }
    return result;
}

int descend_wins(void)
{
    int prefers_up = biased_gap() > below_gap;
    int result;
    if (prefers_up) {
        result = own_is_lower() && separation >= NEAR_GAP && below_gap >= required_gap();
    } else {
        result = !own_is_higher() || (own_is_higher() && above_gap >= required_gap());
    }
    return result;
}

int advise(void)
{
    int enabled, equipped, unknown_intent;
    int need_up, need_down;
    int advice = NONE;

    enabled = confident && own.rate <= RATE_LIMIT && separation > CEILING_GAP;
    equipped = coordinated == 1;
    unknown_intent = valid && intent == 0;

    if (enabled && ((equipped && unknown_intent) || !equipped)) {
        need_up = climb_wins() && own_is_lower();
        need_down = descend_wins() && own_is_higher();
        if (own.altitude < FLOOR)
            need_down = 0;
        if (need_up && need_down)
            advice = NONE;
        else if (need_up)
            advice = CLIMB;
        else if (need_down)
            advice = DESCEND;
        else
            advice = NONE;
    }
    return advice;
}

int main(int argc, char **argv)
{
    if (argc < 13) {
        printf("usage: advisory and twelve numbers\n");
        return 1;
    }
    separation = atoi(argv[1]);
    confident = atoi(argv[2]);
    valid = atoi(argv[3]);
    own.altitude = atoi(argv[4]);
    own.rate = atoi(argv[5]);
    other.altitude = atoi(argv[6]);
    layer = atoi(argv[7]) & 3;
    above_gap = atoi(argv[8]);
    below_gap = atoi(argv[9]);
    intent = atoi(argv[10]);
    coordinated = atoi(argv[11]);
    inhibit = atoi(argv[12]);
    printf("%d\n", advise());
    return 0;
}
