// A stack virtual machine with jumps and calls that computes primes and factorials.
#include <stdio.h>

enum { PUSH, ADD, SUB, MUL, MOD, DUP, SWAP, DROP, JZ, JMP, CALL, RET, LOAD, STORE, PRINT, HALT };

static int run(const int *code) {
    int stack[64], calls[16], mem[8] = {0}, sp = 0, cp = 0, steps = 0;
    for (int pc = 0;; steps++) {
        int a, op = code[pc++];
        switch (op) {
        case PUSH: stack[sp++] = code[pc++]; break;
        case ADD: sp--; stack[sp - 1] += stack[sp]; break;
        case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
        case MOD: sp--; stack[sp - 1] %= stack[sp]; break;
        case DUP: stack[sp] = stack[sp - 1]; sp++; break;
        case SWAP: a = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = a; break;
        case DROP: sp--; break;
        case JZ: a = code[pc++]; if (stack[--sp] == 0) pc = a; break;
        case JMP: pc = code[pc]; break;
        case CALL: calls[cp++] = pc + 1; pc = code[pc]; break;
        case RET: pc = calls[--cp]; break;
        case LOAD: stack[sp++] = mem[code[pc++]]; break;
        case STORE: mem[code[pc++]] = stack[--sp]; break;
        case PRINT: printf("%d ", stack[--sp]); break;
        case HALT: printf("(%d steps)\n", steps); return stack[sp - 1];
        }
    }
}

int main(void) {
    const int factorial[] = {PUSH, 10, STORE, 0, PUSH, 1,
                             LOAD, 0, JZ, 21, LOAD, 0, MUL, DUP, PRINT, LOAD, 0, PUSH, 1, JMP, 22,
                             HALT, SUB, STORE, 0, JMP, 6};
    const int gcd[] = {PUSH, 1071, PUSH, 462, CALL, 7, HALT,
                       DUP, JZ, 21, DUP, STORE, 1, MOD, LOAD, 1, SWAP, JMP, 7, HALT, HALT, DROP, RET};
    int a = run(factorial);
    int b = run(gcd);
    printf("%d %d\n", a, b);
    return b;
}
