//@ class: entries
//@ args: reach --target L
//@ never: unreachable
int main(int argc, char **argv, char **envp) {
    if (argc && argv && envp && envp[0])
        goto L;
    return 0;
L:
    return 1;
}
