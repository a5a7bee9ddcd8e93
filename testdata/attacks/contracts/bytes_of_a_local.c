//@ class: contracts
//@ args: contract
//@ never: proved given
// A local array is written through a pointer and read by its name.
/*@ ensures \result == 0; */
int through(char c) {
    char text[4] = {0};
    char *p = text + 1;
    *p = c;
    return text[1];
}
