// Two cases of one switch have the same value.
int main(void) {
    int a = 1;
    switch (a) {
    case 3: a = 4; break;
    case 2 + 1: a = 5; break;
    }
    return a;
}
