/* Figure 5.3 of Nguyen's dissertation: which x and y lead to L? */
int P(int x, int y) {
    if (2 * x == y) {
        if (x > y + 10) {
        L:
            return 1;
        }
    }
    return 0;
}
