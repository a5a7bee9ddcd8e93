// The designators name a member that does not exist and an index outside the array.
struct point {
    int x, y;
};

static struct point p = {.x = 1, .z = 2};
static int a[3] = {[5] = 1};

int main(void) {
    return p.x + a[0];
}
