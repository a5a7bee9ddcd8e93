// The lexer.
#include "tokens.h"
#include <ctype.h>
#include <string.h>

struct token token;
static const char *at;

void lexer_start(const char *text) {
    at = text;
    advance();
}
void advance(void) {
    while (isspace((unsigned char)*at))
        at++;
    token.value = 0;
    if (isdigit((unsigned char)*at)) {
        token.kind = T_NUMBER;
        while (isdigit((unsigned char)*at))
            token.value = token.value * 10 + (*at++ - '0');
    } else if (strncmp(at, "let", 3) == 0) {
        token.kind = T_LET;
        at += 3;
    } else if (isalpha((unsigned char)*at)) {
        token.kind = T_NAME;
        token.value = *at++;
    } else if (*at) {
        token.kind = T_SIGN;
        token.value = *at++;
    } else {
        token.kind = T_END;
    }
}
const char *token_name(enum token_kind k) {
    static const char *const names[] = {
#define X(id, text) text,
        TOKENS(X)
#undef X
    };
    return names[k];
}
