// fcntl.h and unistd.h: descriptors of files that the program makes, lseek, stat, fdopen.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    const char *name = "descriptors.tmp";
    int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
    printf("%d\n", fd > 2);
    printf("%zd\n", write(fd, "hello world", 11));
    printf("%ld\n", (long)lseek(fd, 6, SEEK_SET));
    char buffer[16] = {0};
    ssize_t count = read(fd, buffer, 5);
    printf("%zd %s\n", count, buffer);
    printf("%zd\n", read(fd, buffer, 5));
    printf("%d\n", close(fd));
    errno = 0;
    int closed = close(fd);
    printf("%d %d\n", closed, errno == EBADF);
    struct stat st;
    printf("%d\n", stat(name, &st));
    printf("%ld %d %d\n", (long)st.st_size, S_ISREG(st.st_mode) != 0, S_ISDIR(st.st_mode) != 0);
    int second = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    printf("%d %d\n", second, errno == EEXIST);
    fd = open(name, O_WRONLY | O_APPEND);
    ssize_t written = write(fd, "!", 1), got = read(fd, buffer, 1);
    printf("%zd %zd\n", written, got);
    close(fd);
    fd = open(name, O_RDONLY);
    fstat(fd, &st);
    FILE *file = fdopen(fd, "r");
    printf("%ld %s\n", (long)st.st_size, fgets(buffer, sizeof buffer, file));
    fclose(file);
    printf("%d\n", unlink(name));
    int gone = stat(name, &st);
    printf("%d %d\n", gone, errno == ENOENT);
    return 0;
}
