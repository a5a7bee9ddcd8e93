// An interpreter for an eight-instruction tape language, with precomputed brackets.
//~ stdin: Input!\n
#include <stdio.h>
#include <string.h>

static unsigned char tape[256];
static int jump[512];

static int run(const char *code) {
    int stack[64], sp = 0, steps = 0;
    for (int i = 0; code[i]; i++) {
        if (code[i] == '[')
            stack[sp++] = i;
        if (code[i] == ']') {
            int open = stack[--sp];
            jump[open] = i;
            jump[i] = open;
        }
    }
    memset(tape, 0, sizeof tape);
    unsigned char *p = tape;
    for (const char *pc = code; *pc; pc++, steps++) {
        switch (*pc) {
        case '>': ++p; break;
        case '<': --p; break;
        case '+': ++*p; break;
        case '-': --*p; break;
        case '.': putchar(*p); break;
        case ',': {
            int c = getchar();
            *p = c == EOF ? 0 : (unsigned char)c;
            break;
        }
        case '[': if (!*p) pc = code + jump[pc - code]; break;
        case ']': if (*p) pc = code + jump[pc - code]; break;
        }
    }
    return steps;
}

int main(void) {
    int a = run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.");
    int b = run(">,[>,]<[.<]");
    int c = run("++++++[>++++++++<-]>.+.+.>++++++++++.");
    printf("%d %d %d\n", a, b, c);
    return (a + b + c) % 126;
}
