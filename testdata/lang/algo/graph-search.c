// Breadth-first and depth-first search in a maze, topological sort and union-find.
#include <stdio.h>
#include <string.h>

static char maze[][16] = {"###############", "#S..#.....#...#", "#.#.#.###.#.#.#", "#.#...#.#...#.#",
                          "#.#####.#####.#", "#.......#....E#", "###############"};
static int seen[7][15];

static int bfs(void) {
    int queue[128][2] = {{1, 1}}, head = 0, tail = 1;
    static const int dir[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    seen[1][1] = 1;
    while (head < tail) {
        int y = queue[head][0], x = queue[head][1];
        head++;
        if (maze[y][x] == 'E')
            return seen[y][x] - 1;
        for (int d = 0; d < 4; d++) {
            int ny = y + dir[d][0], nx = x + dir[d][1];
            if (maze[ny][nx] == '#' || seen[ny][nx])
                continue;
            seen[ny][nx] = seen[y][x] + 1;
            queue[tail][0] = ny;
            queue[tail++][1] = nx;
        }
    }
    return -1;
}
static unsigned after[8] = {0x06, 0x08, 0x18, 0x20, 0x20, 0x00, 0x01, 0x40};
static int order[8], placed, mark[8];
static int visit(int v) {
    if (mark[v] == 1)
        return 0;
    if (mark[v] == 2)
        return 1;
    mark[v] = 1;
    for (int u = 0; u < 8; u++)
        if (after[v] >> u & 1 && !visit(u))
            return 0;
    mark[v] = 2;
    order[placed++] = v;
    return 1;
}
static int parent[12];
static int root(int x) { return parent[x] == x ? x : (parent[x] = root(parent[x])); }

int main(void) {
    int steps = bfs();
    printf("%d\n", steps);
    int ok = 1;
    for (int v = 0; v < 8; v++)
        ok &= visit(v);
    for (int i = 8; i-- > 0;)
        printf("%d ", order[i]);
    after[5] |= 0x80;
    memset(mark, 0, sizeof mark);
    placed = 0;
    printf("%d %d\n", ok, visit(5));
    for (int i = 0; i < 12; i++)
        parent[i] = i;
    int pairs[][2] = {{0, 4}, {4, 8}, {1, 5}, {2, 6}, {6, 10}, {5, 9}, {9, 1}, {3, 7}};
    int groups = 12;
    for (int i = 0; i < 8; i++) {
        int a = root(pairs[i][0]), b = root(pairs[i][1]);
        if (a != b) {
            parent[a] = b;
            groups--;
        }
    }
    printf("%d %d\n", groups, root(0) == root(8));
    return steps + groups;
}
