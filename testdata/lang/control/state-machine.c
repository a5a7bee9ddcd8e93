// A state machine driven by an enum, a switch and a loop; counts words, numbers and comments.
#include <stdio.h>

enum state { START, WORD, NUMBER, SLASH, COMMENT, STAR, DONE };

int main(void) {
    const char *text = "alpha 42 /* skip 99 this */ beta/7 x1 /**/ 3";
    enum state st = START;
    int words = 0, numbers = 0, comments = 0;
    const char *p = text;
    while (st != DONE) {
        char c = *p++;
        int alpha = (c >= 'a' && c <= 'z'), digit = (c >= '0' && c <= '9');
        switch (st) {
        case START:
        restart:
            if (c == '\0')
                st = DONE;
            else if (alpha)
                words++, st = WORD;
            else if (digit)
                numbers++, st = NUMBER;
            else if (c == '/')
                st = SLASH;
            else
                st = START;
            break;
        case WORD:
            if (!alpha && !digit)
                goto restart;
            break;
        case NUMBER:
            if (!digit)
                goto restart;
            break;
        case SLASH:
            if (c == '*')
                st = COMMENT;
            else
                goto restart;
            break;
        case COMMENT:
            if (c == '*')
                st = STAR;
            break;
        case STAR:
            if (c == '/')
                comments++, st = START;
            else if (c != '*')
                st = COMMENT;
            break;
        case DONE:
            break;
        }
    }
    printf("words %d numbers %d comments %d length %d\n", words, numbers, comments, (int)(p - text));
    return words * 10 + numbers;
}
