// The same function is defined twice in one file.
static int value(void) {
    return 1;
}

static int value(void) {
    return 2;
}

int main(void) {
    return value();
}
