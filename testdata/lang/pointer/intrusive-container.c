// container_of with offsetof: an intrusive list whose links sit inside the elements.
#include <stddef.h>
#include <stdio.h>

#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

struct link {
    struct link *prev, *next;
};
struct task {
    char name[8];
    int cost;
    struct link all;
    struct link urgent;
};

static void init(struct link *l) { l->prev = l->next = l; }
static void append(struct link *head, struct link *l) {
    l->prev = head->prev;
    l->next = head;
    head->prev->next = l;
    head->prev = l;
}
static void unlink_it(struct link *l) {
    l->prev->next = l->next;
    l->next->prev = l->prev;
    init(l);
}

int main(void) {
    struct link all, urgent;
    struct task tasks[4] = {{"wash", 3}, {"cook", 5}, {"read", 8}, {"sleep", 13}};
    init(&all);
    init(&urgent);
    for (int i = 0; i < 4; i++) {
        append(&all, &tasks[i].all);
        init(&tasks[i].urgent);
        if (i % 2)
            append(&urgent, &tasks[i].urgent);
    }
    unlink_it(&tasks[2].all);
    int total = 0;
    for (struct link *l = all.next; l != &all; l = l->next) {
        struct task *t = container_of(l, struct task, all);
        printf("%s %d\n", t->name, t->cost);
        total += t->cost;
    }
    for (struct link *l = urgent.prev; l != &urgent; l = l->prev)
        printf("urgent %s\n", container_of(l, struct task, urgent)->name);
    printf("%d %d\n", total, (int)offsetof(struct task, cost));
    return total;
}
