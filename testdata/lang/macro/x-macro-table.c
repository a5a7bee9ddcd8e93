// X-macros that keep an enum, a name table and a dispatcher in step.
#include <stdio.h>
#include <string.h>

#define OPCODES(X) \
    X(PUSH, 1, stack[sp++] = arg) \
    X(ADD, 0, (sp--, stack[sp - 1] += stack[sp])) \
    X(MUL, 0, (sp--, stack[sp - 1] *= stack[sp])) \
    X(DUP, 0, (stack[sp] = stack[sp - 1], sp++)) \
    X(NEG, 0, stack[sp - 1] = -stack[sp - 1])

enum opcode {
#define X(name, args, code) OP_##name,
    OPCODES(X)
#undef X
    OP_COUNT
};
static const struct { const char *name; int args; } info[] = {
#define X(name, args, code) {#name, args},
    OPCODES(X)
#undef X
};

int main(void) {
    const int program[] = {OP_PUSH, 6, OP_DUP, OP_MUL, OP_PUSH, 4, OP_NEG, OP_ADD};
    int stack[16], sp = 0;
    for (unsigned pc = 0; pc < sizeof program / sizeof *program;) {
        enum opcode op = program[pc++];
        int arg = info[op].args ? program[pc++] : 0;
        switch (op) {
#define X(name, args, code) case OP_##name: code; break;
            OPCODES(X)
#undef X
        default: return 1;
        }
        printf("%s %d -> %d\n", info[op].name, arg, stack[sp - 1]);
    }
    printf("%d\n", OP_COUNT);
    return stack[0];
}
