// Running past the end of the last member of a struct.
#include <stdio.h>

struct packet {
    int id;
    int payload[4];
};

int main(void) {
    struct packet p = {1, {1, 2, 3, 4}};
    int sum = p.id;
    for (int i = 0; i < 5; i++)
        sum += p.payload[i]; //~ ERROR out-of-bounds
    printf("%d\n", sum);
    return 0;
}
