// A block comment that never ends swallows the rest of the file.
int main(void) {
    int a = 3; /* from here on
    return a;
}
