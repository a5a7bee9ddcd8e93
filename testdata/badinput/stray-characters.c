// Characters that belong to no token of C.
int main(void) {
    int a = 3 @ 4;
    return a ` 1;
}
