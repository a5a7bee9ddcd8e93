// Huffman coding: builds the tree, prints code lengths, encodes and decodes a message.
#include <stdio.h>
#include <string.h>

struct node {
    int weight, left, right, symbol;
};
static struct node pool[64];
static int pooled;
static unsigned code[128];
static int length[128];

static void assign(int n, unsigned c, int len) {
    if (pool[n].left < 0) {
        code[pool[n].symbol] = c;
        length[pool[n].symbol] = len;
        return;
    }
    assign(pool[n].left, c << 1, len + 1);
    assign(pool[n].right, c << 1 | 1, len + 1);
}

int main(void) {
    const char *msg = "abracadabra alakazam";
    int freq[128] = {0}, live[64], n = 0;
    for (const char *p = msg; *p; p++)
        freq[(int)*p]++;
    for (int s = 0; s < 128; s++)
        if (freq[s]) {
            pool[pooled] = (struct node){freq[s], -1, -1, s};
            live[n++] = pooled++;
        }
    while (n > 1) {
        for (int i = 1; i < n; i++)
            for (int j = i; j > 0 && (pool[live[j]].weight > pool[live[j - 1]].weight ||
                                      (pool[live[j]].weight == pool[live[j - 1]].weight && live[j] > live[j - 1])); j--) {
                int t = live[j];
                live[j] = live[j - 1];
                live[j - 1] = t;
            }
        int a = live[--n], b = live[--n];
        pool[pooled] = (struct node){pool[a].weight + pool[b].weight, a, b, 0};
        live[n++] = pooled++;
    }
    int root = live[0], total = 0;
    assign(root, 0, 0);
    for (int s = 0; s < 128; s++)
        if (length[s])
            printf("'%c' x%d: %d bits, %u\n", s, freq[s], length[s], code[s]);
    char bits[256], back[64];
    for (const char *p = msg; *p; p++)
        for (int i = length[(int)*p]; i-- > 0;)
            bits[total++] = (char)(code[(int)*p] >> i & 1);
    int at = 0;
    for (int i = 0, node = root; i < total; i++) {
        node = bits[i] ? pool[node].right : pool[node].left;
        if (pool[node].left < 0) {
            back[at++] = (char)pool[node].symbol;
            node = root;
        }
    }
    back[at] = '\0';
    printf("%d bits, %s\n", total, back);
    return strcmp(back, msg) ? 1 : total;
}
