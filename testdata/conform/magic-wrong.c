// expect: incompatible
// flags: --values
// producer
int main(int c, char **v) {
    fwrite("RIFX", 1, 4, stdout);
    return 0;
}
// consumer
int main(void) {
    char b[4];
    if (fread(b, 1, 4, stdin) != 4) return 1;
    if (b[0]!='R'||b[1]!='I'||b[2]!='F'||b[3]!='F') return 1;
    return 0;
}
