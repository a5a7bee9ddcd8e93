// An object of a type that is never completed.
struct never;

int main(void) {
    struct never n;
    return sizeof n;
}
