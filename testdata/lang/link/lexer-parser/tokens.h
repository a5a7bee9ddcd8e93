#ifndef TOKENS_H
#define TOKENS_H
#define TOKENS(X) X(NUMBER, "number") X(NAME, "name") X(LET, "let") X(SIGN, "sign") X(END, "end of line")
enum token_kind {
#define X(id, text) T_##id,
    TOKENS(X)
#undef X
};
struct token {
    enum token_kind kind;
    int value;
};
extern struct token token;
void lexer_start(const char *text);
void advance(void);
const char *token_name(enum token_kind k);
int parse_line(int *ok);
#endif
