// A static assertion that does not hold.
_Static_assert(sizeof(int) == 3, "int has three bytes");

int main(void) {
    return 0;
}
