// Conway's game of life on a torus with a glider and a blinker.
#include <stdio.h>
#include <string.h>

#define W 14
#define H 10

static unsigned char cell[2][H][W];

static int step(int from) {
    int alive = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        n += cell[from][(y + dy + H) % H][(x + dx + W) % W];
            alive += cell[!from][y][x] = n == 3 || (n == 2 && cell[from][y][x]);
        }
    return alive;
}

int main(void) {
    static const char *seed[] = {".#........", "..#..###..", "###......."};
    for (int y = 0; y < 3; y++)
        for (int x = 0; seed[y][x]; x++)
            cell[0][y + 1][x + 1] = seed[y][x] == '#';
    int now = 0, alive = 0;
    for (int g = 0; g < 21; g++) {
        if (g % 10 == 0) {
            printf("generation %d\n", g);
            for (int y = 0; y < H; y++) {
                for (int x = 0; x < W; x++)
                    putchar(cell[now][y][x] ? '#' : '.');
                putchar('\n');
            }
        }
        alive = step(now);
        now = !now;
    }
    return alive * 8 + now;
}
