// A translation unit without main can be checked but not run.
int square(int x) {
    return x * x;
}
