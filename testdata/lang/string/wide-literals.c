// Wide strings and characters without locale-dependent output.
#include <stddef.h>
#include <stdio.h>

static size_t wide_length(const wchar_t *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int main(void) {
    const wchar_t *w = L"wide\u20ac";
    printf("%zu %zu\n", wide_length(w), sizeof(wchar_t));
    for (size_t i = 0; w[i]; i++)
        printf("%d ", (int)w[i]);
    printf("\n");
    wchar_t buf[] = L"abc";
    buf[1] = L'Z';
    printf("%d %zu\n", (int)buf[1], sizeof buf);
    wchar_t joined[] = L"ab" L"cd";
    printf("%zu %d\n", wide_length(joined), joined[3] == L'd');
    printf("%d\n", L'\x263a');
    return (int)wide_length(w) * 5;
}
