// expect: incompatible
// producer
int main(void) {
    double m[3][4] = {0};
    for (int i = 0; i < 3; i++)for (int j = 0; j < 4; j++) fwrite(&m[i][j], 8, 1, stdout);
    return 0;
}
// consumer
int main(void) {
    double m[9];
    if (fread(m, sizeof(double), 9, stdin) != 9) return 1;
    return 0;
}
