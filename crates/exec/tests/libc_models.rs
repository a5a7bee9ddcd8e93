//! Library models: programs whose runs in the VM must end and print as they do natively, and programs that break the
//! contract of a function, with the rule that must be reported.

use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, libc};
use std::path::Path;
use std::process::{Command, Stdio};

fn load(path: &Path) -> ir::Program {
    match cfront::load(&[path.to_path_buf()], &cfront::preprocess::Options::default()) {
        Ok(loaded) => loaded.program,
        Err(failure) => panic!("{} should be a program: {failure:?}", path.display()),
    }
}

fn run(text: &str, args: &[&str], stdin: &str) -> (Ending, String, String) {
    let dir = tempfile::tempdir().expect("a temporary folder should be possible");
    let path = dir.path().join("program.c");
    std::fs::write(&path, text).expect("the program should be writable");
    let program = load(&path);
    let entry = program.find_function("main").expect("the program should have a `main`");
    let image = Image::new(&program, libc::LIBRARY);
    let input = Input {
        args: args.iter().map(|arg| arg.to_string()).collect(),
        stdin: stdin.as_bytes().to_vec(),
        ..Input::default()
    };
    let outcome = Machine::new(&image).run(entry, &input, &Budget::default(), Options::default()).outcome;
    let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (outcome.ending, show(&outcome.stdout), show(&outcome.stderr))
}

/// Compares a run in the VM with a native one: status and both streams.
fn agrees(text: &str, args: &[&str], stdin: &str) {
    let dir = tempfile::tempdir().expect("a temporary folder should be possible");
    let source = dir.path().join("program.c");
    let binary = dir.path().join("program");
    std::fs::write(&source, text).expect("the program should be writable");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let status = Command::new(compiler).args(["-w", "-o"]).arg(&binary).arg(&source).arg("-lm").status();
    assert!(status.expect("a C compiler should be there").success());
    let input = dir.path().join("input");
    std::fs::write(&input, stdin).expect("the input should be writable");
    let output = Command::new(&binary)
        .args(args)
        .current_dir(dir.path())
        .env_clear()
        .stdin(Stdio::from(std::fs::File::open(&input).expect("the input should be readable")))
        .output()
        .expect("the program should start");
    let (ending, stdout, stderr) = run(text, args, stdin);
    assert_eq!(stdout, String::from_utf8_lossy(&output.stdout));
    assert_eq!(ending, Ending::Exited(output.status.code().expect("the native run should exit")));
    // The name the program goes by is the one thing that differs.
    let native = String::from_utf8_lossy(&output.stderr).replace(binary.to_str().expect("paths are UTF-8"), "PROGRAM");
    let name = stderr.split(':').next().unwrap_or("").to_string();
    let ours = if native.starts_with("PROGRAM:") { stderr.replace(&name, "PROGRAM") } else { stderr };
    assert_eq!(ours, native);
}

/// A run that must end with a finding of this rule.
fn breaks(rule: &str, body: &str) {
    let text = format!(
        "#include <ctype.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {{ {body} }}\n"
    );
    match run(&text, &[], "").0 {
        Ending::Faulted(finding) => assert_eq!(finding.rule.id(), rule, "{body}: {}", finding.message),
        other => panic!("{body} should be reported as {rule}, and ended as {other:?}"),
    }
}

#[test]
fn contracts_are_checked() {
    for (rule, body) in [
        ("memory-overlap", "char a[8] = \"abcdef\"; memcpy(a + 1, a, 4); return 0;"),
        ("memory-overlap", "char a[8] = \"abc\"; strcpy(a + 1, a); return 0;"),
        ("memory-overlap", "char a[16] = \"abc\"; sprintf(a, \"%s!\", a); return 0;"),
        ("out-of-bounds", "char a[4]; strcpy(a, \"abcd\"); return 0;"),
        ("out-of-bounds", "char a[3] = {'a', 'b', 'c'}; return strlen(a);"),
        ("out-of-bounds", "char a[4]; sprintf(a, \"%d\", 12345); return 0;"),
        ("out-of-bounds", "char a[4]; return sscanf(\"abcdefgh\", \"%s\", a);"),
        ("out-of-bounds", "char a[2]; memset(a, 0, 3); return 0;"),
        ("uninitialised-read", "char a[4]; a[0] = 'x'; return strlen(a);"),
        ("uninitialised-read", "char a[4], b[4]; memset(b, 0, 4); return memcmp(a, b, 4);"),
        ("uninitialised-read", "char a[4]; return fwrite(a, 1, 4, stdout);"),
        ("write-to-constant", "char *s = \"abc\"; s = strtok(s, \"b\"); return 0;"),
        ("null-dereference", "char *s = NULL; return strlen(s);"),
        ("null-dereference", "FILE *f = fopen(\"missing\", \"r\"); return fgetc(f);"),
        ("use-after-free", "char *p = malloc(4); strcpy(p, \"abc\"); free(p); return strlen(p);"),
        ("use-after-free", "FILE *f = tmpfile(); fclose(f); return fputc('x', f);"),
        ("double-free", "char *p = malloc(4); free(p); free(p); return 0;"),
        ("invalid-free", "char a[4]; char *p = a; free(p); return 0;"),
        ("invalid-free", "char *p = malloc(4); free(p + 1); return 0;"),
        ("bad-format", "printf(\"%d\\n\", 1L); return 0;"),
        ("bad-format", "printf(\"%ld\\n\", 1); return 0;"),
        ("bad-format", "printf(\"%d\\n\", 1.0); return 0;"),
        ("bad-format", "printf(\"%f\\n\", 1); return 0;"),
        ("bad-format", "printf(\"%s\\n\", 1); return 0;"),
        ("bad-format", "char *p = NULL; printf(\"%s\\n\", p); return 0;"),
        ("bad-format", "printf(\"%d %d\\n\", 1); return 0;"),
        ("bad-format", "printf(\"%y\\n\"); return 0;"),
        ("bad-format", "int i; return sscanf(\"1\", \"%ld\", &i);"),
        ("bad-format", "double d; return sscanf(\"1\", \"%f\", &d);"),
        ("bad-argument", "int (*f)(int) = toupper; return f(1000);"),
        ("bad-argument", "return strtok(NULL, \",\") == NULL;"),
        ("signed-overflow", "int x = -2147483647 - 1; return abs(x);"),
        ("division-by-zero", "int z = 0; return div(1, z).quot;"),
        ("aborted", "abort(); return 0;"),
    ] {
        breaks(rule, body);
    }
}

#[test]
fn options() {
    let text = r#"
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    static int flag;
    static struct option longs[] = {
        {"verbose", no_argument, &flag, 7}, {"version", no_argument, 0, 'V'},
        {"output", required_argument, 0, 'o'}, {"level", optional_argument, 0, 'l'}, {0, 0, 0, 0}};
    int c, index = -1;
    while ((c = getopt_long(argc, argv, "abo:l::", longs, &index)) != -1) {
        printf("%d '%c' arg=%s optind=%d optopt=%d index=%d flag=%d\n", c, c > 31 ? c : '.', optarg ? optarg : "-",
               optind, optopt, index, flag);
    }
    for (int i = optind; i < argc; i++) printf("rest %s\n", argv[i]);
    return optind;
}
"#;
    for args in [
        vec![],
        vec!["-a", "-b"],
        vec!["-ab", "-ofile", "x"],
        vec!["x", "-a", "y", "-o", "file", "z", "-b"],
        vec!["-a", "--", "-b", "x"],
        vec!["x", "--", "-b"],
        vec!["-z"],
        vec!["-o"],
        vec!["--output=f", "--output", "g", "--verbose", "x", "--version"],
        vec!["--ver", "--verb", "--out", "q", "--nope", "--version=1", "--output"],
        vec!["-l", "3", "-l3", "--level", "--level=4"],
        vec!["-", "-a", "x"],
    ] {
        agrees(text, &args, "");
    }
}

#[test]
fn files_and_lines() {
    agrees(
        r#"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char line[16];
    printf("%d\n", fopen("missing", "r") == NULL && errno == ENOENT);
    perror("missing");
    FILE *f = fopen("data", "w+");
    printf("%d\n", fputs("one\ntwo\nthree and more than fits\n", f));
    printf("%d\n", fprintf(f, "%5d|%-5s|\n", 42, "ab"));
    printf("%ld\n", ftell(f));
    rewind(f);
    while (fgets(line, sizeof line, f)) printf("[%s]", line);
    printf("\n%d %d\n", feof(f) != 0, ferror(f));
    fseek(f, -4, SEEK_END);
    int c = fgetc(f);
    printf("%c %d\n", c, ungetc('Q', f));
    c = fgetc(f);
    printf("%c %ld\n", c, ftell(f));
    fclose(f);
    f = fopen("data", "a");
    fwrite("tail", 1, 4, f);
    fclose(f);
    f = fopen("./data", "rb");
    char block[100];
    size_t n = fread(block, 3, 33, f);
    printf("%zu %.*s\n", n, 10, block);
    printf("%d\n", fgetc(f));
    printf("%d\n", fputc('x', f));
    printf("%d\n", ferror(f) != 0);
    fclose(f);
    printf("%d\n", rename("data", "other"));
    printf("%d\n", remove("data"));
    printf("%d\n", remove("other"));
    char *text = NULL;
    size_t size = 0;
    long got;
    while ((got = getline(&text, &size, stdin)) != -1) printf("%ld %zu %s", got, size, text);
    free(text);
    setvbuf(stdout, NULL, _IONBF, 0);
    fputs("done\n", stderr);
    return puts("x");
}
"#,
        &[],
        "first line\n\nlast, without an end, but long enough to make the buffer grow: 0123456789012345678901234567890123456789012345678901234567890123456789",
    );
}

#[test]
fn input_by_format() {
    agrees(
        r#"
#include <stdio.h>
int main(void) {
    int n, x; double d; char word[20], c;
    while ((n = scanf("%d", &x)) == 1) printf("int %d\n", x);
    printf("stopped with %d\n", n);
    printf("%d\n", scanf("%19s %lf%c", word, &d, &c));
    printf("%s %g %d\n", word, d, c);
    printf("%d\n", scanf(" key=%19[^;];%n", word, &n));
    printf("%s %d\n", word, n);
    printf("%d\n", scanf("%d", &x));
    printf("%d\n", feof(stdin) != 0);
    return 0;
}
"#,
        &[],
        "1 2 -3\nword 2.5e1\nkey=some value;",
    );
}

#[test]
fn strings_and_numbers() {
    agrees(
        r#"
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
static int comparisons;
static int by_tens(const void *a, const void *b) {
    comparisons++;
    return *(const int *)a / 10 - *(const int *)b / 10;
}
static void bye(void) { printf("bye\n"); }
static void first(void) { printf("first\n"); }
int main(void) {
    char buffer[64] = "alpha,beta;;gamma", *save, *end;
    for (char *t = strtok_r(buffer, ",;", &save); t; t = strtok_r(NULL, ",;", &save)) printf("<%s>", t);
    char fields[] = "a::b", *rest = fields, *field;
    while ((field = strsep(&rest, ":"))) printf("(%s)", field);
    printf("\n%s %s %s\n", strstr("haystack", "st"), strrchr("a/b/c", '/'), strpbrk("key=value", "=:"));
    printf("%zu %zu %d\n", strspn("aabbc", "ab"), strcspn("hello", "l"), strcasecmp("HeLLo", "hEllO"));
    printf("%d %d\n", strncmp("abcd", "abce", 3), strcmp("a", "b") < 0);
    printf("%s\n", (char *)memmem("abcdefgh", 8, "def", 3));
    stpcpy(stpcpy(buffer, "left "), "right");
    printf("%s ", buffer);
    printf("%s\n", strncat(strcpy(buffer + 20, "x"), "yzw", 2));
    int numbers[] = {35, 12, 31, 19, 38, 11, 5, 33, 9};
    qsort(numbers, 9, sizeof *numbers, by_tens);
    for (int i = 0; i < 9; i++) printf("%d ", numbers[i]);
    int key = 19;
    printf("| %d\n", comparisons);
    printf("%d\n", *(int *)bsearch(&key, numbers, 9, sizeof key, by_tens));
    printf("%ld ", strtol(" -0x1fz", &end, 0));
    printf("%s\n", end);
    printf("%lu ", strtoul("99999999999999999999", NULL, 10));
    printf("%d\n", errno == ERANGE);
    printf("%.17g ", strtod("1.25e2rest", &end));
    printf("%s|\n", end);
    printf("%d %ld %g\n", atoi("42abc"), atol("-7"), atof(" 0.1x"));
    for (int i = 0; i < 3; i++) printf("%d ", rand());
    srand(7);
    printf("%d ", rand());
    printf("%ld ", random());
    srand48(3);
    printf("%.17g ", drand48());
    printf("%ld\n", lrand48());
    ldiv_t q = ldiv(-7, 2);
    printf("%ld %ld %d\n", q.quot, q.rem, div(7, -2).quot);
    printf("%.17g %.17g %.17g\n", sin(1), pow(2, 0.5), fmod(-7, 3));
    printf("%.9g %.9g\n", (double)sinf(1), (double)powf(2, 0.5f));
    printf("%.21Lg %.21Lg\n", sqrtl(2), expl(1));
    int e;
    double m = frexp(100.0, &e), whole, part = modf(-3.75, &whole);
    printf("%g %d %g %g %ld\n", m, e, whole, part, lround(2.5));
    printf("%d %d\n", isnan(NAN) != 0, isinf(-INFINITY));
    errno = 0;
    double bad = sqrt(-1);
    printf("%d %d\n", isnan(bad) != 0, errno == EDOM);
    printf("%d%d%d %c%c\n", isalpha('x') != 0, isdigit('x') != 0, isspace('\t') != 0, toupper('q'), tolower('Q'));
    printf("%s\n", strerror(ENOENT));
    char *made;
    printf("%d ", asprintf(&made, "%s-%03d", "id", 7));
    printf("%s\n", made);
    free(made);
    printf("%d\n", snprintf(buffer, 5, "truncated"));
    printf("%s %m\n", buffer);
    atexit(bye);
    atexit(first);
    exit(3);
}
"#,
        &[],
        "",
    );
}

#[test]
fn multibyte_characters_are_those_of_the_c_locale() {
    agrees(
        r#"#include <errno.h>
           #include <stdio.h>
           #include <stdlib.h>
           #include <string.h>
           #include <wchar.h>
           #include <wctype.h>
           int main(void) {
               wchar_t wide[16];
               char narrow[16];
               printf("%zu ", mbstowcs(wide, "text", 16));
               printf("%d\n", wcscmp(wide, L"text"));
               printf("%zu ", wcstombs(narrow, L"back", 16));
               puts(narrow);
               mbstate_t state;
               memset(&state, 0, sizeof state);
               printf("%zd %zd %zd\n", (ssize_t)mbrtowc(wide, "a", 1, &state), (ssize_t)mbrtowc(wide, "\x80", 1, &state),
                      (ssize_t)mbrtowc(wide, "", 0, &state));
               printf("%d %d %d %d\n", mblen("ab", 2), mbtowc(wide, "", 1), wctomb(narrow, L'q'), wctomb(narrow, 0x80));
               printf("%d %x %d\n", wctob(L'a'), btowc(200), wcwidth(L'a'));
               for (wint_t c = 0; c < 200; c++)
                   printf("%d%d%d%c", !!iswalpha(c), !!iswspace(c), !!iswctype(c, wctype("punct")), towupper(c) == c ? '=' : '+');
               const wchar_t *from = L"words of it";
               printf("\n%zu %d\n", wcsrtombs(narrow, &from, 5, &state), wmemcmp(L"ab", L"ac", 2));
               printf("%d %d\n", wcsncmp(L"abc", L"abd", 2), (int)wcslen(wcsrchr(L"a/b/c", L'/')));
               return errno == EILSEQ;
           }"#,
        &[],
        "",
    );
}

#[test]
fn regular_expressions_match_as_they_do_natively() {
    agrees(
        r#"#include <fnmatch.h>
           #include <regex.h>
           #include <stdio.h>
           int main(void) {
               regex_t pattern;
               regmatch_t found[3];
               printf("%d\n", regcomp(&pattern, "([a-z]*)-([0-9]+)", REG_EXTENDED));
               printf("%zu %d\n", pattern.re_nsub, regexec(&pattern, "see abc-12+ there", 3, found, 0));
               for (int i = 0; i < 3; i++)
                   printf("%d..%d ", (int)found[i].rm_so, (int)found[i].rm_eo);
               printf("%d\n", regexec(&pattern, "none", 3, found, 0) == REG_NOMATCH);
               regfree(&pattern);
               char text[64];
               int code = regcomp(&pattern, "a[", REG_EXTENDED);
               printf("%zu %s\n", regerror(code, &pattern, text, sizeof text), text);
               printf("%d %d\n", fnmatch("*.c", "file.c", 0), fnmatch("a?c", "abd", 0) == FNM_NOMATCH);
               return 0;
           }"#,
        &[],
        "",
    );
}

#[test]
fn files_are_more_than_streams() {
    agrees(
        r#"#include <fcntl.h>
           #include <libgen.h>
           #include <stdio.h>
           #include <stdlib.h>
           #include <string.h>
           #include <sys/mman.h>
           #include <unistd.h>
           int main(void) {
               char name[] = "pieceXXXXXX";
               int file = mkstemp(name);
               printf("%d\n", (int)write(file, "some text", 9));
               char *seen = mmap(NULL, 9, PROT_READ, MAP_PRIVATE, file, 0);
               printf("%.4s %d\n", seen, seen[100]);
               printf("%d\n", munmap(seen, 9));
               printf("%d\n", ftruncate(file, 4));
               printf("%d\n", (int)lseek(file, 0, SEEK_END));
               printf("%d %d\n", (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR, fcntl(77, F_GETFD));
               int again = dup(1);
               fflush(stdout);
               dprintf(again, "through %d\n", again > 2);
               printf("%d\n", close(file));
               printf("%d\n", unlink(name));
               char path[] = "/usr/lib/", other[] = "plain";
               printf("%s ", basename(path));
               printf("%s ", dirname(path));
               printf("%s ", basename(other));
               printf("%s\n", dirname(other));
               int *room = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
               room[2000] = 5;
               printf("%d\n", room[2000] + room[0]);
               printf("%d\n", munmap(room, 8192));
               return 0;
           }"#,
        &[],
        "",
    );
}

#[test]
fn the_surroundings_can_be_changed() {
    agrees(
        r#"#define _GNU_SOURCE
           #include <arpa/inet.h>
           #include <err.h>
           #include <errno.h>
           #include <signal.h>
           #include <stdio.h>
           #include <stdlib.h>
           #include <string.h>
           static char text[] = "C=three";
           static void handler(int number, siginfo_t *info, void *rest) {
               (void)rest;
               printf("%d %d\n", number, info->si_signo);
           }
           int main(void) {
               setenv("A", "one", 1);
               setenv("A", "two", 0);
               putenv(text);
               text[2] = 'T';
               printf("%s %s %d\n", getenv("A"), getenv("C"), getenv("B") == NULL);
               unsetenv("A");
               printf("%d %x %x\n", getenv("A") == NULL, (unsigned)htonl(0x01020304), ntohs(0x0102));
               sigset_t set;
               sigemptyset(&set);
               sigaddset(&set, SIGTERM);
               printf("%d %d %s\n", sigismember(&set, SIGTERM), sigismember(&set, SIGINT), strsignal(SIGFPE));
               struct sigaction action;
               memset(&action, 0, sizeof action);
               action.sa_sigaction = handler;
               action.sa_flags = SA_SIGINFO;
               sigaction(SIGUSR1, &action, NULL);
               raise(SIGUSR1);
               fflush(stdout);
               errno = ENOENT;
               warn("no %s", "file");
               errx(3, "leaving with %d", 3);
           }"#,
        &[],
        "",
    );
}

#[test]
fn comparison_functions_that_contradict_themselves_are_found() {
    let program = |compare: &str| {
        format!(
            r#"#include <stdlib.h>
               static int calls;
               static int compare(const void *a, const void *b) {{ int x = *(const int *)a, y = *(const int *)b; {compare} }}
               int main(void) {{ int n[] = {{2, 1, 2}}; qsort(n, 3, sizeof *n, compare); return calls; }}"#
        )
    };
    let faulted = |compare: &str| matches!(run(&program(compare), &[], "").0, Ending::Faulted(_));
    assert!(faulted("return x > y;"));
    assert!(faulted("return x < y ? -1 : 1;"));
    assert!(!faulted("return (x > y) - (x < y);"));
    // Further calls would be seen.
    assert!(matches!(run(&program("calls++; return x > y;"), &[], "").0, Ending::Exited(3)));
}
