//@ class: tables
//@ args: prove
//@ twin: proved assert
// A table that is too large to choose from is known by the intervals that its elements lie in: 3 to 253, and 1000.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define ROW(n) F(n), F(n + 1), F(n + 2), F(n + 3), F(n + 4), F(n + 5), F(n + 6), F(n + 7)
#define ROWS(n) ROW(n), ROW(n + 8), ROW(n + 16), ROW(n + 24), ROW(n + 32), ROW(n + 40), ROW(n + 48), ROW(n + 56)
#define BLOCK(n) ROWS(n), ROWS(n + 64), ROWS(n + 128), ROWS(n + 192), ROWS(n + 256), ROWS(n + 320), ROWS(n + 384), ROWS(n + 448)
#define TABLE(n) BLOCK(n), BLOCK(n + 512), BLOCK(n + 1024), BLOCK(n + 1536), BLOCK(n + 2048), BLOCK(n + 2560), BLOCK(n + 3072), BLOCK(n + 3584)
#define F(n) ((n) % 17 ? (n) * 7 % 251 + 3 : 1000)
static const unsigned short table[12288] = {TABLE(0), TABLE(4096), TABLE(8192)};
int main(void)
{
    unsigned k = __VERIFIER_nondet_uint() % 12288;
    assert(table[k] >= 3);
    assert(table[k] <= 253 || table[k] == 1000);
    return 0;
}
