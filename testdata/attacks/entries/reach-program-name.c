//@ class: entries
//@ args: reach --target L
//@ never: unreachable
int main(int argc, char **argv) {
    if (argc > 0 && argv[0][0] == 'x')
        goto L;
    return 0;
L:
    return 1;
}
