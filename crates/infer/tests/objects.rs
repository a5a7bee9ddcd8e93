//! Functions as people write them: what is found about entries that take pointers, records, strings and callbacks.

use infer::{Config, InferReport, infer, shown};

fn found(text: &str, entry: &str) -> InferReport {
    let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
    let entry = program.find_function(entry).unwrap();
    infer(&program, entry, &Config { seed: 1, ..Config::default() }).unwrap()
}

fn relations(report: &InferReport) -> Vec<String> {
    let of = |l: &infer::LocationReport| -> Vec<String> {
        l.invariants.iter().map(|i| shown::text(&i.predicate, &l.location.variables)).collect()
    };
    report.locations.iter().flat_map(of).collect()
}

fn required(report: &InferReport) -> Vec<&str> {
    report.preconditions.required.iter().map(|required| required.text.as_str()).collect()
}

#[track_caller]
fn check(text: &str, relation: &str, requires: &[&str]) {
    let report = found(text, "f");
    let all = relations(&report);
    assert!(all.iter().any(|found| found == relation), "{relation} is not among {all:#?}");
    let known = required(&report);
    for wanted in requires {
        assert!(known.contains(wanted), "{wanted} is not among {known:#?}");
    }
}

#[test]
fn what_is_behind_pointers_takes_part() {
    let room = "struct buffer { int len, cap; }; int f(struct buffer *b) { return b->cap - b->len; }";
    check(room, "b->cap == result + b->len", &["b != 0"]);
    let length = "unsigned long f(const char *s) { const char *p = s; while (*p) p++; return p - s; }";
    check(length, "result == strlen(s)", &["s != 0"]);
    check("void f(int *p) { *p += 3; }", "(*p) == \\old(*p) + 3", &["p != 0"]);
    let swap = "void f(int *a, int *b) { int t = *a; *a = *b; *b = t; }";
    check(swap, "(*a) == \\old(*b)", &["a != 0", "b != 0"]);
}

#[test]
fn callers_owe_lengths_and_indices() {
    let get = "struct item { int v; }; int f(const struct item *items, int count, int at) { return items[at].v; }";
    let report = found(get, "f");
    let known = required(&report);
    assert!(known.contains(&"at >= 0") && known.contains(&"items != 0"), "{known:?}");
    let guarded = "struct s { int x; }; int f(const struct s *p) { return p ? p->x : -1; }";
    assert!(required(&found(guarded, "f")).is_empty());
}

#[test]
fn what_callers_do_not_owe_is_shown_with_its_input() {
    let text = "int f(const char *s) { int n = 0; while (*s) n += *s++ == '7' ? 100 / (*s - '3') : 1; return n; }";
    let report = found(text, "f");
    let odd = report.preconditions.unexplained.first().expect("a division by zero should be met");
    assert!(odd.shown.contains("73"), "{}", odd.shown);
}

#[test]
fn callbacks_constructors_and_files_are_given() {
    let call = "int f(int (*g)(int, void *), void *data) { int n = 0; for (int i = 0; i < 3; i++) n += g(i, data) != 0; return n; }";
    let called = found(call, "f");
    assert!(
        called.runs > 50 && relations(&called).iter().any(|relation| relation.starts_with('n')),
        "{:?}",
        relations(&called)
    );
    let opaque = "void *malloc(unsigned long); void free(void *); void abort(void);\nstruct box { int used, room; };\n\
        struct box *make(int n) { struct box *b = malloc(sizeof *b); if (b) { b->room = 8; b->used = n & 7; } return b; }\n\
        int f(struct box *b) { return b->room - b->used; }";
    assert!(found(opaque, "f").runs > 50);
    let lines = "typedef struct _IO_FILE FILE; int getc(FILE *);\nint f(FILE *in) { int n = 0, c; while ((c = getc(in)) != -1) n += c == '\\n'; return n; }";
    assert!(relations(&found(lines, "f")).iter().any(|relation| relation == "n >= 0"), "{lines}");
}

#[test]
fn programs_that_read_and_stubs_are_well_formed() {
    use observe::locations::{Request, instrument};
    let text = "struct node { int value; float f; long double x; struct { char c; } in; char *name; struct node *next; };\n\
        struct pair { int a, b; };\n\
        struct node *f(struct node *n, const char *s, unsigned *u, double *d, struct node **list, void *v,\n\
                       struct pair (*g)(int), char *(*h)(void)) {\n\
            while (n && n->value) { n->value--; n = n->next; s++; } *u = g(1).a + (h() != 0); return n; }";
    let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
    let stubbed = observe::inputs::with_stubs(&program).expect("two types of callbacks should need stubs");
    assert_eq!(ir::verify(&stubbed), []);
    let entry = stubbed.find_function("f").unwrap();
    let made = instrument(&stubbed, entry, &Request { reads: true, ..Request::default() });
    assert_eq!(ir::verify(&made.program), []);
    assert!(made.locations.iter().any(|location| location.variables.iter().any(|v| v.name == "\\old(n->value)")));
}
