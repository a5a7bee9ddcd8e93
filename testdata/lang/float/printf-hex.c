// %a and hexadecimal floating constants.
#include <stdio.h>

int main(void) {
    printf("%a %a %a\n", 1.0, 0.5, -2.0);
    printf("%a %A\n", 3.14159, 255.5);
    printf("%.3a %.1a %.0a\n", 1.999, 0.1, 1.25);
    printf("%a %a\n", 0.0, -0.0);
    printf("[%20a] [%-20a] [%+a] [%020a]\n", 1.5, 1.5, 1.5, 1.5);
    printf("%g %g %g\n", 0x1p4, 0x1.8p1, 0x.8p-2);
    printf("%.17g\n", 0x1.999999999999ap-4);
    printf("%d\n", 0x1.999999999999ap-4 == 0.1);
    float f = 0x1.fffffep127f;
    printf("%g %a\n", f, f);
    double tiny = 0x1p-1022;
    printf("%g %a\n", tiny, tiny);
    return (int)0x1.8p5;
}
