//! `conform` on small pairs, each for one thing that the inference has to see. The verdicts are claims about the
//! programs and must never change; what a case says in its name is why. The pairs of `testdata/conform` are written as
//! programs of different styles are: records, text, sockets, state machines, tables of functions.

use conform::{Action, Approach, Config, Input, Io, Level, Moves, conform};
use std::path::Path;

/// What the pairs of `testdata/conform` use of the library.
const LIBRARY: &str = "typedef unsigned long size_t; typedef long ssize_t; typedef struct file FILE; \
    typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t; \
    typedef unsigned long uint64_t; extern FILE *stdin, *stdout, *stderr; enum { EOF = -1, MSG_WAITALL = 256 }; \
    void exit(int) __attribute__((noreturn)); void *malloc(size_t); void free(void *); \
    int putchar(int); int getchar(void); int getc(FILE *); int fputc(int, FILE *); int ungetc(int, FILE *); \
    int feof(FILE *); FILE *fopen(const char *, const char *); int fclose(FILE *); \
    size_t fwrite(const void *, size_t, size_t, FILE *); size_t fread(void *, size_t, size_t, FILE *); \
    int puts(const char *); int fputs(const char *, FILE *); char *fgets(char *, int, FILE *); \
    ssize_t getline(char **, size_t *, FILE *); int printf(const char *, ...); int scanf(const char *, ...); \
    int fprintf(FILE *, const char *, ...); int sscanf(const char *, const char *, ...); \
    ssize_t write(int, const void *, size_t); ssize_t read(int, void *, size_t); int socket(int, int, int); \
    ssize_t send(int, const void *, size_t, int); ssize_t recv(int, void *, size_t, int); \
    int memcmp(const void *, const void *, size_t); size_t strlen(const char *); int strcmp(const char *, const char *);\n";

const DECLARATIONS: &str = "int putchar(int); int getchar(void); void exit(int); int printf(const char *, ...); \
    int scanf(const char *, ...); unsigned long fwrite(const void *, unsigned long, unsigned long, void *); \
    unsigned long fread(void *, unsigned long, unsigned long, void *); extern void *file; int any(void); \
    void put8(int); void put32(unsigned); int get8(void); unsigned get32(void); void fatal(void); void pack(void);\n";

struct Case {
    name: &'static str,
    producer: &'static str,
    consumer: &'static str,
    values: bool,
    answer: &'static str,
}

fn io() -> Io {
    let mut io = Io::default();
    let mut moves = |text: &str| Action::Moves(Moves { pattern: io.kinds.pattern(text).unwrap(), ..Moves::default() });
    let (u8, u32) = (moves("u8"), moves("u32"));
    io.writes.insert("put8".into(), u8.clone());
    io.writes.insert("put32".into(), u32.clone());
    io.reads.insert("get8".into(), u8);
    io.reads.insert("get32".into(), u32);
    io.kinds.atom("packed");
    let pattern = io.kinds.pattern("packed").unwrap();
    io.writes.insert("pack".into(), Action::Moves(Moves { pattern: pattern.clone(), ..Moves::default() }));
    io.reads.insert("pack".into(), Action::Moves(Moves { pattern, ..Moves::default() }));
    io.fails.push("fatal".into());
    io.returns.insert("any".into(), Vec::new());
    io
}

fn answer(producer: &str, consumer: &str, config: &Config) -> Result<&'static str, String> {
    let load = |text: &str| cfront::load_text(&[("case.c", &format!("{DECLARATIONS}{text}"))]).unwrap().program;
    let (producer, consumer) = (load(producer), load(consumer));
    conform(Input::Program(&producer), Input::Program(&consumer), config).map(|report| conform::word(&report.verdict))
}

fn check(cases: &[Case]) {
    for case in cases {
        let config = Config { io: io(), values: case.values, ..Config::default() };
        let found = answer(case.producer, case.consumer, &config);
        assert_eq!(found, Ok(case.answer), "{}", case.name);
    }
}

const YES: &str = "compatible";
const NO: &str = "incompatible";

#[test]
fn pairs_in_many_styles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/conform");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 70, "the pairs should be found");
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let (head, programs) = text.split_once("// producer\n").unwrap_or_else(|| panic!("{name}: a producer"));
        let (producer, consumer) = programs.split_once("// consumer\n").unwrap_or_else(|| panic!("{name}: a consumer"));
        let said = |key: &str| head.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
        let flags = said("// flags:").unwrap_or("");
        assert!(matches!(flags, "" | "--values"), "{name}: {flags}");
        let load = |text: &str| cfront::load_text(&[(&name, &format!("{LIBRARY}{text}"))]).map(|loaded| loaded.program);
        let (Ok(producer), Ok(consumer)) = (load(producer), load(consumer)) else { panic!("{name} should be read") };
        let config = Config { values: flags == "--values", ..Config::default() };
        let report = conform(Input::Program(&producer), Input::Program(&consumer), &config);
        let answer = report.as_ref().map(|report| conform::word(&report.verdict));
        if answer != Ok(said("// expect:").unwrap_or("")) {
            let why = report.as_ref().ok().and_then(|report| report.why().map(str::to_string));
            wrong.push(format!("{name}: {answer:?} {why:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_not_looked_into_changes_variables() {
    let consumer = "int main(void) { pack(); return 0; }";
    let case = |name, producer| Case { name, producer, consumer, values: false, answer: NO };
    check(&[
        case(
            "a flag that gets a value",
            "static int flag; void pack(void) { flag = getchar(); } \
             int main(void) { pack(); if (flag) put8(1); return 0; }",
        ),
        case(
            "a flag that gets a constant, behind a call",
            "static int flag; void pack(void) { if (getchar() == 2) flag = 1; } static void work(void) { pack(); } \
             int main(void) { work(); if (flag) put8(1); return 0; }",
        ),
        case(
            "a member that is assigned with its record",
            "struct t { int a, b; }; static struct t t; static struct t make(void) { struct t n = { 1, 2 }; return n; } \
             int any(void) { t = make(); return 0; } \
             int main(void) { pack(); any(); if (t.b > 0) put8(1); return 0; }",
        ),
        case(
            "an exit code that was set before",
            "static int code = 1; int any(void) { code = 0; return 3; } \
             int main(void) { pack(); put8(1); any(); return code; }",
        ),
        case(
            "a pointer to a function",
            "static void no(void) {} static void yes(void) { put8(1); } static void (*work)(void) = no; \
             int any(void) { work = yes; return 0; } int main(void) { pack(); any(); work(); return 0; }",
        ),
        case(
            "a field of an object that it is given",
            "struct t { int a; }; static void fill(struct t *t) { t->a = 2; } static struct t t; \
             void pack(void) { fill(&t); } int main(void) { pack(); if (t.a) put8(1); return 0; }",
        ),
    ]);
}

#[test]
fn control_flow_and_return_codes() {
    check(&[
        Case {
            name: "a loop with a constant trip count reads that many",
            producer: "int main(void) { put32(1); put32(2); return 0; }",
            consumer: "int main(void) { int n; for (n = 0; n < 8; n++) get8(); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "and not one more",
            producer: "int main(void) { put32(1); put32(2); return 0; }",
            consumer: "int main(void) { int n = 9; while (n--) get8(); return 0; }",
            values: false,
            answer: NO,
        },
        Case {
            name: "the bound may be an argument",
            producer: "int main(void) { put8(1); put8(2); put8(3); return 0; }",
            consumer: "static void skip(int n) { for (int i = 0; i < n; i++) get8(); } int main(void) { skip(3); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "an error return is no acceptance",
            producer: "int main(void) { put8(1); return 0; }",
            consumer: "static int header(void) { if (any()) return -1; get8(); get8(); return 0; } \
                       int main(void) { if (header() < 0) return 1; return 0; }",
            values: false,
            answer: NO,
        },
        Case {
            name: "a failing function is none either",
            producer: "int main(void) { put8(1); return 0; }",
            consumer: "int main(void) { get8(); if (any()) fatal(); get8(); return 0; }",
            values: false,
            answer: NO,
        },
        Case {
            name: "exit(0) inside a call ends the message",
            producer: "static void f(void) { put8(1); if (any()) exit(0); put8(2); } int main(void) { f(); put8(3); return 0; }",
            consumer: "int main(void) { get8(); if (any()) return 0; get8(); get8(); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "exit(0) inside a call is a message that the consumer must take",
            producer: "static void f(void) { put8(1); if (any()) exit(0); put8(2); } int main(void) { f(); put8(3); return 0; }",
            consumer: "int main(void) { get8(); get8(); get8(); return 0; }",
            values: false,
            answer: NO,
        },
        Case {
            name: "exit(1) is not",
            producer: "static void f(void) { put8(1); if (any()) exit(1); put8(2); } int main(void) { f(); put8(3); return 0; }",
            consumer: "int main(void) { get8(); get8(); get8(); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "reading to the end of the input",
            producer: "int main(void) { while (any()) putchar(any()); return 0; }",
            consumer: "int main(void) { int c; unsigned n = 0; while ((c = getchar()) != -1) n += c; return n == 7; }",
            values: false,
            answer: "vacuous",
        },
        Case {
            name: "a call through a pointer",
            producer: "int main(void) { put8(1); return 0; }",
            consumer: "static void one(void) { get8(); } static void two(void) { get8(); get8(); } \
                       struct ops { void (*read)(void); } ops = { one }; struct other { void (*read)(void); } o = { two }; \
                       int main(void) { ops.read(); return 0; }",
            values: false,
            answer: YES,
        },
    ]);
}

#[test]
fn flags_and_states() {
    check(&[
        Case {
            name: "a flag that is tested twice is not mixed up",
            producer: "int flag; int main(void) { flag = any(); if (flag) put8(1); put32(2); if (flag) put8(3); return 0; }",
            consumer: "int main(void) { if (any()) { get8(); get32(); get8(); } else get32(); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "bits of one byte are not mixed up",
            producer: "int main(void) { unsigned f = any(); if (f & 4) put8(1); put32(2); if (f & 4) put8(3); return 0; }",
            consumer: "int main(void) { if (any()) { get8(); get32(); get8(); } else get32(); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "a state machine in a field",
            producer: "int main(void) { put8(1); put32(2); put8(3); return 0; }",
            consumer: "struct d { int state; }; \
                       static int step(struct d *s) { switch (s->state) { case 0: get8(); s->state = 1; return 0; \
                       case 1: get32(); s->state = 2; return 0; case 2: get8(); s->state = 3; return 1; } return -1; } \
                       int main(void) { struct d s; s.state = 0; int r; while ((r = step(&s)) == 0) ; return r != 1; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "a state machine that skips a state",
            producer: "int main(void) { put8(1); put32(2); put8(3); return 0; }",
            consumer: "struct d { int state; }; \
                       static int step(struct d *s) { switch (s->state) { case 0: get8(); s->state = 2; return 0; \
                       case 1: get32(); s->state = 2; return 0; case 2: get8(); s->state = 3; return 1; } return -1; } \
                       int main(void) { struct d s; s.state = 0; int r; while ((r = step(&s)) == 0) ; return r != 1; }",
            values: false,
            answer: NO,
        },
        Case {
            name: "a header that is written once, and a counter that says so",
            producer: "int n; static void block(void) { if (n == 0) put32(7); n++; put8(1); } \
                       int main(void) { do block(); while (any()); return 0; }",
            consumer: "int main(void) { get32(); do get8(); while (any()); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "an error code through a pointer",
            producer: "int main(void) { put8(1); return 0; }",
            consumer: "static void f(int *error) { *error = 0; get8(); if (any()) { *error = -1; return; } } \
                       int main(void) { int e; f(&e); if (e != 0) return 1; return 0; }",
            values: false,
            answer: YES,
        },
    ]);
}

#[test]
fn values_and_granularity() {
    let magic = "int main(void) { put8(31); put8(139); put32(0); return 0; }";
    check(&[
        Case {
            name: "magic numbers that agree",
            producer: magic,
            consumer: "int main(void) { if (get8() != 31) return 1; if (get8() != 139) return 1; get32(); return 0; }",
            values: true,
            answer: YES,
        },
        Case {
            name: "magic numbers that do not",
            producer: magic,
            consumer: "int main(void) { if (get8() != 31) return 1; if (get8() != 157) return 1; get32(); return 0; }",
            values: true,
            answer: NO,
        },
        Case {
            name: "a flag byte decides what the reader expects",
            producer: "int main(void) { int f = 0; if (any()) f |= 8; put8(f); if (f) put32(1); return 0; }",
            consumer: "int main(void) { int f = get8(); if (f & 8) get32(); return 0; }",
            values: true,
            answer: YES,
        },
        Case {
            name: "integers and bytes in different places",
            producer: "int main(void) { put32(1); put32(2); return 0; }",
            consumer: "int main(void) { get32(); get8(); get8(); get8(); get8(); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "a record by its fields",
            producer: "struct p { unsigned a; unsigned char b[4]; } x; int main(void) { fwrite(&x, sizeof x, 1, file); return 0; }",
            consumer: "int main(void) { get32(); get8(); get8(); get8(); get8(); return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "text is read as it is printed",
            producer: "int main(void) { printf(\"%d,%s\\n\", any(), \"x\"); return 0; }",
            consumer: "int main(void) { int n; char s[9]; if (scanf(\"%d,%8s\", &n, s) != 2) return 1; return 0; }",
            values: false,
            answer: YES,
        },
        Case {
            name: "and not otherwise",
            producer: "int main(void) { printf(\"%s %d\\n\", \"x\", any()); return 0; }",
            consumer: "int main(void) { int n; char s[9]; if (scanf(\"%d %8s\", &n, s) != 2) return 1; return 0; }",
            values: false,
            answer: NO,
        },
        Case {
            name: "an opaque part is only itself",
            producer: "int main(void) { put8(1); pack(); return 0; }",
            consumer: "int main(void) { get8(); while (any()) get8(); return 0; }",
            values: false,
            answer: NO,
        },
    ]);
}

#[test]
fn trouble_is_said() {
    let config = Config { io: io(), ..Config::default() };
    let none = answer("int main(void) { return 0; }", "int main(void) { get8(); return 0; }", &config);
    assert!(none.unwrap_err().contains("no call of the producer"));
    let format = answer(
        "int main(int c, char **v) { printf(v[1]); return 0; }",
        "int main(void) { get8(); return 0; }",
        &config,
    );
    assert_eq!(format, Ok("unknown"), "a format that is not constant");
    let all =
        answer("int main(void) { put8(1); return 0; }", "int main(void) { while (any()) get8(); return 0; }", &config);
    assert_eq!(all, Ok("vacuous"), "a consumer that takes everything");
    let never = answer("int main(void) { put8(1); return 1; }", "int main(void) { get8(); return 0; }", &config);
    assert_eq!(never, Ok("unknown"), "a producer that never ends well");
}

#[test]
fn levels_and_approaches() {
    let producer = "static void f(void) { put32(1); } int main(void) { if (any()) f(); else { put8(1); f(); put8(2); } return 0; }";
    let consumer = "int main(void) { if (any()) get32(); else { get8(); get32(); get8(); } return 0; }";
    let ask = |approach, level| answer(producer, consumer, &Config { io: io(), approach, level, ..Config::default() });
    assert_eq!(ask(Approach::Pushdown, Some(Level::Types)), Ok(YES));
    assert_eq!(ask(Approach::Finite, Some(Level::Types)), Ok(NO), "the finite model returns to any caller");
    assert_eq!(ask(Approach::Nested, Some(Level::Types)), Ok(NO), "the two do not call alike");
    assert_eq!(ask(Approach::Pushdown, Some(Level::Bits)), Ok(YES));
}
