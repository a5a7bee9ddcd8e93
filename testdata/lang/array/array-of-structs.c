// Arrays of structs, structs of arrays, and arrays of strings sorted by several keys.
#include <stdio.h>
#include <string.h>

struct person {
    char name[12];
    int age;
    float scores[3];
};

static float total(const struct person *p) { return p->scores[0] + p->scores[1] + p->scores[2]; }

static void sort(struct person *p, int n, int by_age) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            int swap = by_age ? p[j].age < p[i].age : strcmp(p[j].name, p[i].name) < 0;
            if (swap) {
                struct person t = p[i];
                p[i] = p[j];
                p[j] = t;
            }
        }
}

int main(void) {
    struct person people[] = {
        {"Mia", 31, {1.5f, 2, 3}}, {"Ada", 52, {4, 4, 4}}, {"Zoe", 19, {0, 9.25f}}, {.age = 44, .name = "Kim"}};
    int n = sizeof people / sizeof people[0];
    for (int pass = 0; pass < 2; pass++) {
        sort(people, n, pass);
        for (int i = 0; i < n; i++)
            printf("%-5s %3d %6.2f\n", people[i].name, people[i].age, total(&people[i]));
    }
    struct person *oldest = people;
    for (struct person *p = people; p < people + n; p++)
        if (p->age > oldest->age)
            oldest = p;
    strcat(oldest->name, " L.");
    printf("%s %zu\n", people[n - 1].name, sizeof people[0]);
    return oldest->age;
}
