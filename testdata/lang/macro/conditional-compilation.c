// #if arithmetic, defined, #elif, #ifdef nesting, -D flags and #undef.
//~ cflags: -DLEVEL=3 -DNAME=plumb -DENABLED
#include <stdio.h>

#define STR(x) #x
#define XSTR(x) STR(x)

#if LEVEL > 2 && defined(ENABLED) && !defined(MISSING)
#define MODE "high"
#elif LEVEL == 2
#define MODE "mid"
#else
#define MODE "low"
#endif

#if (LEVEL << 2 | 1) == 13 && UNKNOWN_NAME == 0
static int ok = 1;
#else
#error "the preprocessor arithmetic is wrong"
#endif

#ifdef MISSING
this is not even C
#else
#ifndef ENABLED
also not C
#endif
static int nested = 2;
#endif

#if 0
/* an unbalanced quote ' is allowed here */
#endif

#undef LEVEL
#define LEVEL 9

#if -1 > 0u
static int unsigned_rule = 4;
#else
static int unsigned_rule = 0;
#endif

int main(void) {
    printf("%s %s %d\n", MODE, XSTR(NAME), LEVEL);
    printf("%d %d %d\n", ok, nested, unsigned_rule);
#line 500 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
    return ok + nested + unsigned_rule + LEVEL;
}
