// Incomplete struct types completed later, opaque handles, and mutually recursive structs.
#include <stdio.h>
#include <stdlib.h>

typedef struct account account;
static account *account_open(int start);
static int account_move(account *from, account *to, int amount);
static int account_balance(const account *a);

struct team;
struct player {
    const char *name;
    struct team *team;
};
struct team {
    const char *name;
    struct player *captain;
    int size;
};

int main(void) {
    account *a = account_open(100), *b = account_open(5);
    printf("%d %d\n", account_move(a, b, 30), account_move(b, a, 500));
    printf("%d %d\n", account_balance(a), account_balance(b));
    int status = account_balance(a);
    free(a);
    free(b);
    struct team t = {"reds", NULL, 11};
    struct player p = {"kay", &t};
    t.captain = &p;
    p.team->captain->team->size++;
    printf("%s leads %s of %d\n", t.captain->name, p.team->name, t.size);
    return status + t.size;
}

struct account {
    int balance;
    unsigned moves;
};

static account *account_open(int start) {
    account *a = malloc(sizeof *a);
    *a = (account){.balance = start};
    return a;
}
static int account_move(account *from, account *to, int amount) {
    if (from->balance < amount)
        return 0;
    from->balance -= amount;
    to->balance += amount;
    from->moves++;
    return amount;
}
static int account_balance(const account *a) { return a->balance; }
