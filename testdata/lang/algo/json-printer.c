// A small JSON parser into a tree, then printed back without spaces.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUL, BOOL, NUM, STR, ARR, OBJ };
struct value {
    enum kind kind;
    double num;
    char *text, *key;
    struct value *kids, *next;
};
static const char *at;
static int made;

static void blank(void) {
    while (isspace((unsigned char)*at))
        at++;
}
static char *string(void) {
    const char *start = ++at;
    while (*at != '"')
        at++;
    return strndup(start, (size_t)(at++ - start));
}
static struct value *parse(void) {
    struct value *v = calloc(1, sizeof *v);
    made++;
    blank();
    if (*at == '{' || *at == '[') {
        char close = *at == '{' ? '}' : ']';
        v->kind = *at == '{' ? OBJ : ARR;
        struct value **tail = &v->kids;
        at++;
        for (blank(); *at != close; blank()) {
            char *key = NULL;
            if (v->kind == OBJ) {
                key = string();
                blank();
                at++;
            }
            *tail = parse();
            (*tail)->key = key;
            tail = &(*tail)->next;
            blank();
            if (*at == ',')
                at++;
        }
        at++;
    } else if (*at == '"') {
        v->kind = STR;
        v->text = string();
    } else if (isdigit((unsigned char)*at) || *at == '-') {
        char *end;
        v->kind = NUM;
        v->num = strtod(at, &end);
        at = end;
    } else {
        v->kind = *at == 'n' ? NUL : BOOL;
        v->num = *at == 't';
        while (isalpha((unsigned char)*at))
            at++;
    }
    return v;
}
static void print(const struct value *v) {
    static const char open[] = {[ARR] = '[', [OBJ] = '{'}, close[] = {[ARR] = ']', [OBJ] = '}'};
    switch (v->kind) {
    case NUL: printf("null"); break;
    case BOOL: printf(v->num ? "true" : "false"); break;
    case NUM: printf("%g", v->num); break;
    case STR: printf("\"%s\"", v->text); break;
    default:
        putchar(open[v->kind]);
        for (const struct value *k = v->kids; k; k = k->next) {
            if (k->key)
                printf("\"%s\":", k->key);
            print(k);
            if (k->next)
                putchar(',');
        }
        putchar(close[v->kind]);
    }
}
static void release(struct value *v) {
    if (!v)
        return;
    release(v->kids);
    release(v->next);
    free(v->text);
    free(v->key);
    free(v);
}

int main(void) {
    at = " { \"name\" : \"plumb\", \"tags\": [ \"a\", \"b\" , [] ], \"n\": -12.5e1,\n"
         "\t\"deep\": {\"x\": {\"y\": [1, 2, {\"z\": null}]}}, \"ok\": true, \"no\" :false }";
    struct value *v = parse();
    print(v);
    printf("\n%d\n", made);
    release(v);
    return made;
}
