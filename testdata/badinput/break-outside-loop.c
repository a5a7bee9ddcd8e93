// break and case where there is nothing to leave and nothing to select.
int main(void) {
    int a = 1;
    break;
    case 3: a++;
    return a;
}
