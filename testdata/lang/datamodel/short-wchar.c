// wchar_t of two bytes: literals, surrogates, signedness.
//~ cflags: -fshort-wchar
#include <stdio.h>
#include <stddef.h>
wchar_t w[] = L"a\U0001F600\u20ac"; 
int main(void) {
    printf("%zu %zu %d", sizeof(wchar_t), sizeof L"abc", L'\xffff' > 0);
    for (size_t i = 0; i < sizeof w / sizeof *w; i++) printf(" %d", w[i]);
    printf(" %d\n", (wchar_t)-1 > 0);
    return 0;
}
