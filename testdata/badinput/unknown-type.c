// A type name that nobody declared.
static widget make(void);

int main(void) {
    widget w;
    w = make();
    return 0;
}
