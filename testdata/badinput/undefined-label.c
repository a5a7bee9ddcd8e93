// goto a label that does not exist.
int main(void) {
    int a = 1;
    goto nowhere;
    return a;
}
