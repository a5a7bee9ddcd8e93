// Kernel: walking and updating a linked list of heap-allocated structs.
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int weight;
    unsigned hits;
    long sum;
};

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 90000;
    struct node *list = NULL;
    for (int i = 0; i < 1000; i++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){list, i * 7 % 13, 0, 0};
        list = n;
    }
    long total = 0;
    for (int r = 0; r < rounds; r++)
        for (struct node *n = list; n; n = n->next) {
            n->hits++;
            n->sum += n->weight;
            total += n->sum & 15;
        }
    printf("%ld\n", total);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
