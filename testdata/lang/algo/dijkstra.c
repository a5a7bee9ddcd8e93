// Dijkstra's shortest paths with a binary heap, with the paths printed.
#include <limits.h>
#include <stdio.h>

#define N 9
struct edge { int to, w, next; };
static struct edge edges[64];
static int head[N], count, dist[N], prev[N];
static struct { int d, v; } heap[128];
static int size;

static void edge(int a, int b, int w) {
    edges[count] = (struct edge){b, w, head[a]};
    head[a] = count++;
    edges[count] = (struct edge){a, w, head[b]};
    head[b] = count++;
}
static void push(int d, int v) {
    int i = size++;
    for (; i && heap[(i - 1) / 2].d > d; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i].d = d;
    heap[i].v = v;
}
static int pop(int *d) {
    int v = heap[0].v, i = 0, c;
    *d = heap[0].d;
    size--;
    while ((c = 2 * i + 1) < size) {
        if (c + 1 < size && heap[c + 1].d < heap[c].d)
            c++;
        if (heap[c].d >= heap[size].d)
            break;
        heap[i] = heap[c];
        i = c;
    }
    heap[i] = heap[size];
    return v;
}
static void path(int v) {
    if (prev[v] >= 0)
        path(prev[v]);
    printf("%d ", v);
}

int main(void) {
    for (int i = 0; i < N; i++) {
        head[i] = prev[i] = -1;
        dist[i] = INT_MAX;
    }
    int e[][3] = {{0, 1, 4}, {0, 7, 8}, {1, 2, 8}, {1, 7, 11}, {2, 3, 7}, {2, 8, 2}, {2, 5, 4},
                  {3, 4, 9}, {3, 5, 14}, {4, 5, 10}, {5, 6, 2}, {6, 7, 1}, {6, 8, 6}, {7, 8, 7}};
    for (unsigned i = 0; i < sizeof e / sizeof *e; i++)
        edge(e[i][0], e[i][1], e[i][2]);
    dist[0] = 0;
    push(0, 0);
    while (size) {
        int d, v = pop(&d);
        if (d > dist[v])
            continue;
        for (int i = head[v]; i >= 0; i = edges[i].next) {
            int to = edges[i].to;
            if (d + edges[i].w < dist[to]) {
                dist[to] = d + edges[i].w;
                prev[to] = v;
                push(dist[to], to);
            }
        }
    }
    int sum = 0;
    for (int i = 0; i < N; i++) {
        printf("%d: %d via ", i, dist[i]);
        path(i);
        printf("\n");
        sum += dist[i];
    }
    return sum;
}
