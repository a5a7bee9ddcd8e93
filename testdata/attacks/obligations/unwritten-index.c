//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
//@ twin: refuted bounds
int main(void) {
    char text[] = "abc";
    int at;
    return text[at];
}
