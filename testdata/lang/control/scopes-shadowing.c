// Block scopes, shadowing, tags and labels in separate name spaces, and loop-scoped variables.
#include <stdio.h>

int x = 1;
struct x {
    int x;
};

static int f(int x) {
    {
        int x = 30;
        x++;
        printf("inner %d\n", x);
        {
            extern int x;
            printf("file %d\n", x);
        }
    }
    return x * 2;
}

int main(void) {
    struct x s = {5};
    printf("%d\n", f(x + s.x));
    int i = 100;
    for (int i = 0; i < 2; i++) {
        int i = 50;
        printf("%d ", i++);
    }
    printf("%d\n", i);
    goto x;
    i = -1;
x:
    printf("%d\n", i);
    enum x2 { A = 3 };
    {
        enum { A = 9 };
        printf("%d\n", A);
    }
    printf("%d\n", A);
    typedef int T;
    {
        int T = 4;
        T++;
        printf("%d\n", T);
    }
    T t = 6;
    printf("%d\n", t);
    if (sizeof(enum { Q = 12 }))
        printf("%d\n", Q);
    return t + A;
}
