// perror and strerror on stderr, setvbuf before output, and text through fputs in pieces.
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    fputs("unbuffered ", stdout);
    fputs("pieces\n", stdout);
    errno = ENOENT;
    perror("probe");
    fprintf(stderr, "%s\n", strerror(EINVAL));
    printf("%d\n", (int)strlen(strerror(ENOMEM)) > 0);
    return EINVAL;
}
