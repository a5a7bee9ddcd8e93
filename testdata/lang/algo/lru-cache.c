// A least-recently-used cache from a hash table and a doubly linked list in one array.
#include <stdio.h>

#define CAP 4
#define NONE (-1)
static struct { int key, value, prev, next; } slot[CAP];
static int newest = NONE, oldest = NONE, used, hits, misses;

static int find(int key) {
    for (int i = newest; i != NONE; i = slot[i].next)
        if (slot[i].key == key)
            return i;
    return NONE;
}
static void detach(int i) {
    if (slot[i].prev != NONE)
        slot[slot[i].prev].next = slot[i].next;
    else
        newest = slot[i].next;
    if (slot[i].next != NONE)
        slot[slot[i].next].prev = slot[i].prev;
    else
        oldest = slot[i].prev;
}
static void front(int i) {
    slot[i].prev = NONE;
    slot[i].next = newest;
    if (newest != NONE)
        slot[newest].prev = i;
    newest = i;
    if (oldest == NONE)
        oldest = i;
}
static int get(int key) {
    int i = find(key);
    if (i != NONE) {
        hits++;
        detach(i);
    } else {
        misses++;
        if (used < CAP) {
            i = used++;
        } else {
            i = oldest;
            printf("evict %d; ", slot[i].key);
            detach(i);
        }
        slot[i].key = key;
        slot[i].value = key * key;
    }
    front(i);
    return slot[i].value;
}

int main(void) {
    int asked[] = {1, 2, 3, 1, 4, 5, 1, 2, 6, 1, 3, 3, 7};
    long sum = 0;
    for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++)
        sum += get(asked[i]);
    printf("\n");
    for (int i = newest; i != NONE; i = slot[i].next)
        printf("%d ", slot[i].key);
    printf("| %d hits %d misses %ld\n", hits, misses, sum);
    return hits * 10 + misses;
}
