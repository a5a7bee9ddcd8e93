//@ class: entries
//@ args: infer --entry add
//@ never: proved equality
int g;
int add(int x) {
    int result = x + g;
    return result;
}
