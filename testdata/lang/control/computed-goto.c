// GNU C: addresses of labels in tables, differences of them, goto to a computed address into and out of blocks.
#include <stdio.h>

enum { PUSH, ADD, MUL, PRINT, JUMP, HALT };

static int interpret(const int *code) {
    static const void *const table[] = {&&push, &&add, &&mul, &&print, &&jump, &&halt};
    int stack[16], top = 0, pc = 0, steps = 0;
#define NEXT                        \
    do {                            \
        steps++;                    \
        goto *table[code[pc++]];    \
    } while (0)
    NEXT;
push:
    stack[top++] = code[pc++];
    NEXT;
add:
    top--;
    stack[top - 1] += stack[top];
    NEXT;
mul: {
    int b = stack[--top];
    stack[top - 1] *= b;
    NEXT;
}
print:
    printf("%d\n", stack[--top]);
    NEXT;
jump:
    pc = code[pc];
    NEXT;
halt:
    return steps;
}

static const char *state(int n) {
    static const int offsets[] = {&&zero - &&zero, &&one - &&zero, &&many - &&zero};
    void *where = (char *)&&zero + offsets[n > 2 ? 2 : n];
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            goto *where;
    }
    return "none";
zero:
    return "zero";
one:
    return "one";
many:
    return "many";
}

int main(void) {
    const int code[] = {PUSH, 6, PUSH, 7, MUL, PRINT, JUMP, 9, HALT, PUSH, 1, PUSH, 2, ADD, PRINT, HALT};
    printf("%d steps\n", interpret(code));
    for (int i = 0; i < 4; i++)
        puts(state(i));
    return 0;
}
