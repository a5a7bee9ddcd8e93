//@ class: entries
//@ args: reach --target L
//@ never: unreachable
int main(int argc, char **argv) {
    if (argc == 0)
        goto L;
    return argv[0][0];
L:
    return 1;
}
