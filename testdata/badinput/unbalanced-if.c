// A conditional group of the preprocessor without #endif.
#define FEATURE 1
#if FEATURE
int main(void) {
    return 0;
}
