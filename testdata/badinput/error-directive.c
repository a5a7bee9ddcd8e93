// The program refuses to be compiled.
#error "this configuration is not supported"

int main(void) {
    return 0;
}
