// Static storage starts at zero; partly initialised aggregates have their rest zeroed.
#include <stdio.h>

static int counter;
static double ratio;
static char *text;
static struct { int a; char b[10]; double c; void *p; } record;
int tentative;
int tentative;
int tentative_array[4];
extern int tentative;

static int all_zero(const void *p, size_t n) {
    const unsigned char *b = p;
    while (n--)
        if (*b++)
            return 0;
    return 1;
}

int main(void) {
    printf("%d %g %d %d %d\n", counter, ratio, text == NULL, tentative, tentative_array[3]);
    printf("%d %d %g %d\n", record.a, record.b[9], record.c, record.p == NULL);
    int local[100] = {1};
    local[0]--;
    printf("%d\n", all_zero(local, sizeof local));
    struct { int x; struct { int y[3]; char z; } in; } s = {.in.y[1] = 5};
    printf("%d %d %d %d %d\n", s.x, s.in.y[0], s.in.y[1], s.in.y[2], s.in.z);
    char buf[16] = "";
    printf("%d\n", all_zero(buf, sizeof buf));
    char word[16] = "hi";
    printf("%d\n", all_zero(word + 2, sizeof word - 2));
    static int inner[3][3];
    inner[1][1] = 4;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += inner[i][j];
    tentative += 3;
    union { char c; int i; } u = {0};
    printf("%d %d\n", sum, u.c);
    return sum + tentative;
}
