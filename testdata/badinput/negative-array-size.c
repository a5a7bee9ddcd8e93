// An array with a negative number of elements.
int main(void) {
    int a[3 - 5];
    return sizeof a;
}
