/* A lock that opens after the buttons 3, 1, 4 and closes for good after three mistakes. */
extern int __VERIFIER_nondet_int(void);

enum state { CLOSED, ONE, TWO, OPEN, BLOCKED };

int main(void) {
    enum state state = CLOSED;
    int mistakes = 0;
    for (int step = 0; step < 7; step++) {
        int button = __VERIFIER_nondet_int();
        switch (state) {
        case CLOSED:
            if (button == 3)
                state = ONE;
            else
                mistakes++;
            break;
        case ONE:
            if (button == 1)
                state = TWO;
            else {
                state = CLOSED;
                mistakes++;
            }
            break;
        case TWO:
            if (button == 4)
                state = OPEN;
            else {
                state = CLOSED;
                mistakes++;
            }
            break;
        case OPEN:
            if (button == 0)
                state = CLOSED;
            break;
        case BLOCKED:
            if (state == OPEN) { /* cannot be */
            WRONG:
                return 2;
            }
            break;
        }
        if (state != OPEN && mistakes >= 3)
            state = BLOCKED;
    }
    if (state == OPEN) {
    OPENED:
        return 0;
    }
    if (state == BLOCKED)
        return 1;
    return 3;
}
