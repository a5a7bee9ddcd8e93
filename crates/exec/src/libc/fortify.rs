//! Other names of modelled functions: what headers turn calls into when they are asked to check buffer sizes
//! (`_FORTIFY_SOURCE`), for a version of the standard, or for speed without locks.
//!
//! The checking variants are given the size of the buffer as the compiler sees it. The memory of the VM knows sizes
//! better, so the extra argument, always behind the others, is not looked at.

use super::Entry;
use super::{stdio, string, unix};

pub(super) const MODELS: &[Entry] = &[
    ("void *__memcpy_chk(void *, const void *, size_t, size_t)", string::memcpy),
    ("void *__mempcpy_chk(void *, const void *, size_t, size_t)", string::mempcpy),
    ("void *__memmove_chk(void *, const void *, size_t, size_t)", string::memmove),
    ("void *__memset_chk(void *, int, size_t, size_t)", string::memset),
    ("char *__strcpy_chk(char *, const char *, size_t)", string::strcpy),
    ("char *__stpcpy_chk(char *, const char *, size_t)", string::stpcpy),
    ("char *__strncpy_chk(char *, const char *, size_t, size_t)", string::strncpy),
    ("char *__strcat_chk(char *, const char *, size_t)", string::strcat),
    ("char *__strncat_chk(char *, const char *, size_t, size_t)", string::strncat),
    ("char *__fgets_chk(char *, size_t, int, FILE *)", stdio::fgets_chk),
    ("size_t __fread_chk(void *, size_t, size_t, size_t, FILE *)", stdio::fread_chk),
    ("ssize_t __read_chk(int, void *, size_t, size_t)", unix::read),
];

/// A name, and the function of the same prototype that it stands for.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("__isoc99_scanf", "scanf"),
    ("__isoc99_fscanf", "fscanf"),
    ("__isoc99_sscanf", "sscanf"),
    ("__isoc99_vscanf", "vscanf"),
    ("__isoc99_vfscanf", "vfscanf"),
    ("__isoc99_vsscanf", "vsscanf"),
    ("__isoc23_scanf", "scanf"),
    ("__isoc23_fscanf", "fscanf"),
    ("__isoc23_sscanf", "sscanf"),
    ("__isoc23_vscanf", "vscanf"),
    ("__isoc23_vfscanf", "vfscanf"),
    ("__isoc23_vsscanf", "vsscanf"),
    ("_IO_getc", "getc"),
    ("_IO_putc", "putc"),
    ("getc_unlocked", "getc"),
    ("fgetc_unlocked", "fgetc"),
    ("getchar_unlocked", "getchar"),
    ("putc_unlocked", "putc"),
    ("fputc_unlocked", "fputc"),
    ("putchar_unlocked", "putchar"),
    ("fputs_unlocked", "fputs"),
    ("fgets_unlocked", "fgets"),
    ("fread_unlocked", "fread"),
    ("fwrite_unlocked", "fwrite"),
    ("feof_unlocked", "feof"),
    ("ferror_unlocked", "ferror"),
    ("fflush_unlocked", "fflush"),
    ("clearerr_unlocked", "clearerr"),
    ("fileno_unlocked", "fileno"),
    ("__getdelim", "getdelim"),
    ("fopen64", "fopen"),
    ("freopen64", "freopen"),
    ("tmpfile64", "tmpfile"),
    ("fseeko64", "fseeko"),
    ("ftello64", "ftello"),
    ("ftruncate64", "ftruncate"),
    ("creat64", "creat"),
    ("mkstemp64", "mkstemp"),
    ("mkostemp64", "mkostemp"),
    ("mmap64", "mmap"),
    ("fcntl64", "fcntl"),
    ("getrlimit64", "getrlimit"),
    ("setrlimit64", "setrlimit"),
    ("__stpcpy", "stpcpy"),
    ("__strndup", "strndup"),
    ("__mempcpy", "mempcpy"),
    ("__rawmemchr", "rawmemchr"),
    ("__sysconf", "sysconf"),
    ("__getpagesize", "getpagesize"),
    ("__strdup", "strdup"),
    ("__strtok_r", "strtok_r"),
];
