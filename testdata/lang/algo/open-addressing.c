// A hash map with linear probing and deletion by backward shift.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CAP 32
static struct slot {
    uint32_t key;
    int value;
    bool used;
} map[CAP];

static uint32_t home(uint32_t k) { return (k * 2654435769u) >> 27; }
static struct slot *find(uint32_t k) {
    uint32_t i = home(k);
    while (map[i].used && map[i].key != k)
        i = (i + 1) % CAP;
    return &map[i];
}
static void put(uint32_t k, int v) { *find(k) = (struct slot){k, v, true}; }
static bool drop(uint32_t k) {
    struct slot *s = find(k);
    if (!s->used)
        return false;
    uint32_t hole = (uint32_t)(s - map), i = hole;
    for (;;) {
        i = (i + 1) % CAP;
        if (!map[i].used)
            break;
        if ((i - home(map[i].key)) % CAP >= (i - hole) % CAP) {
            map[hole] = map[i];
            hole = i;
        }
    }
    map[hole].used = false;
    return true;
}

int main(void) {
    for (uint32_t k = 1; k <= 24; k++)
        put(k * k * 7, (int)k);
    int dropped = 0;
    for (uint32_t k = 1; k <= 24; k += 3)
        dropped += drop(k * k * 7);
    dropped += drop(999999);
    int found = 0, sum = 0;
    for (uint32_t k = 1; k <= 30; k++) {
        struct slot *s = find(k * k * 7);
        if (s->used) {
            found++;
            sum += s->value;
        }
    }
    printf("%d dropped, %d found, sum %d\n", dropped, found, sum);
    for (int i = 0; i < CAP; i++)
        putchar(map[i].used ? '#' : '.');
    putchar('\n');
    return sum % 126;
}
