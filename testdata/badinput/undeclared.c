// A variable is used that was never declared.
int main(void) {
    int known = 3;
    return known + unknown;
}
