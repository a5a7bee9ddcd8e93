/* Tax on an income, in steps: nothing up to a free amount that grows with children, then 10, 20 and 40 per cent. */
#define FREE 9000
#define PER_CHILD 1500
#define MOST_CHILDREN 4
#define STEP1 15000
#define STEP2 40000

static int at_most(int value, int most)
{
    return value > most ? most : value;
}

int tax(int income, int children, int married)
{
    int free_amount = FREE + PER_CHILD * at_most(children, MOST_CHILDREN);
    int rest, due = 0;
    if (married)
        free_amount = free_amount * 2;
    rest = income - free_amount;
    if (rest <= 0)
        return 0;
    due += at_most(rest, STEP1) / 10;
    if (rest > STEP1)
        due += (at_most(rest, STEP2) - STEP1) / 5;
    if (rest > STEP2)
        due += (rest - STEP2) * 2 / 5;
    return due;
}
