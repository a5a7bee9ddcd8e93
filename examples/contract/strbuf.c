/*
 * strbuf - strings that grow, and a queue of their lengths.
 *
 * A buffer owns its characters, which end with a zero behind the last one as soon as there are any. Once an allocation
 * has failed the buffer says so, and keeps what it had. Nobody wrote down what each function needs, changes and
 * promises: that is what `plumb contract` is asked for.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 16u
#define SLOTS 16u

struct strbuf {
    char *data;
    unsigned len; /* characters, without the zero */
    unsigned cap; /* bytes behind data */
    int failed;
};

struct queue {
    unsigned slots[SLOTS];
    unsigned head;
    unsigned count;
};

/* ----- making and releasing ----- */

void sb_init(struct strbuf *b)
{
    b->data = NULL;
    b->len = 0;
    b->cap = 0;
    b->failed = 0;
}

void sb_release(struct strbuf *b)
{
    free(b->data);
    b->data = NULL;
    b->len = 0;
    b->cap = 0;
}

/* ----- asking ----- */

unsigned sb_length(const struct strbuf *b)
{
    return b->len;
}

int sb_is_empty(const struct strbuf *b)
{
    return b->len == 0;
}

int sb_has_failed(const struct strbuf *b)
{
    return b->failed != 0;
}

/* Bytes that can be added before memory is asked for. */
unsigned sb_room(const struct strbuf *b)
{
    if (b->cap == 0 || b->len >= b->cap - 1)
        return 0;
    return b->cap - b->len - 1;
}

const char *sb_text(const struct strbuf *b)
{
    return b->data ? b->data : "";
}

/* ----- room ----- */

static unsigned next_cap(unsigned cap, unsigned need)
{
    if (cap < LEAST)
        cap = LEAST;
    while (cap < need && cap < 0x80000000u)
        cap *= 2;
    return cap < need ? need : cap;
}

static int fail(struct strbuf *b)
{
    b->failed = 1;
    return -1;
}

int sb_reserve(struct strbuf *b, unsigned extra)
{
    unsigned need, cap;
    char *data;

    if (extra > 0xfffffffeu - b->len)
        return fail(b);
    need = b->len + extra + 1;
    if (need <= b->cap)
        return 0;
    cap = next_cap(b->cap, need);
    data = realloc(b->data, cap);
    if (data == NULL)
        return fail(b);
    b->data = data;
    b->cap = cap;
    return 0;
}

/* ----- adding ----- */

int sb_add_char(struct strbuf *b, char c)
{
    if (sb_reserve(b, 1) != 0)
        return -1;
    b->data[b->len++] = c;
    b->data[b->len] = '\0';
    return 0;
}

int sb_add(struct strbuf *b, const char *s, unsigned n)
{
    if (sb_reserve(b, n) != 0)
        return -1;
    memcpy(b->data + b->len, s, n);
    b->len += n;
    b->data[b->len] = '\0';
    return 0;
}

/* ----- taking away ----- */

void sb_clear(struct strbuf *b)
{
    b->len = 0;
    if (b->data != NULL)
        b->data[0] = '\0';
}

/* Keeps the first so many characters; a buffer that is shorter is left as it is. */
/*@ ensures b->len <= \old(b->len); */
void sb_truncate(struct strbuf *b, unsigned len)
{
    if (len >= b->cap)
        return;
    b->len = len;
    b->data[len] = '\0';
}

int sb_pop(struct strbuf *b)
{
    if (b->len == 0)
        return -1;
    b->len--;
    return (unsigned char)b->data[b->len];
}

/* ----- looking ----- */

int text_count(const char *s, char c)
{
    int count = 0;

    for (; *s != '\0'; s++)
        if (*s == c)
            count++;
    return count;
}

int text_is_number(const char *s)
{
    if (*s == '-')
        s++;
    if (*s == '\0')
        return 0;
    for (; *s != '\0'; s++)
        if (*s < '0' || *s > '9')
            return 0;
    return 1;
}

int digit_of(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* ----- a queue of lengths ----- */

void queue_init(struct queue *q)
{
    q->head = 0;
    q->count = 0;
}

int queue_is_full(const struct queue *q)
{
    return q->count == SLOTS;
}

int queue_push(struct queue *q, unsigned length)
{
    if (q->count >= SLOTS)
        return -1;
    q->slots[(q->head + q->count) % SLOTS] = length;
    q->count++;
    return 0;
}

int queue_pop(struct queue *q, unsigned *length)
{
    if (q->count == 0)
        return -1;
    *length = q->slots[q->head % SLOTS];
    q->head = (q->head + 1) % SLOTS;
    q->count--;
    return 0;
}

/* How many rounds of halving bring a length to one; by calling itself. */
unsigned levels(unsigned length)
{
    if (length <= 1)
        return 0;
    return 1 + levels(length / 2);
}

int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}
