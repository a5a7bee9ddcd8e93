//! Entries that are given more than numbers: records, objects, strings, functions, streams, what other functions make.

use diagnostics::Rule;
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Given, Input, Scalar};
use ir::IntKind;

/// How a call of `f` with these arguments ends.
fn call(text: &str, arguments: Vec<Given>) -> Ending {
    let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
    let image = Image::new(&program, exec::libc::LIBRARY);
    let entry = program.find_function("f").unwrap();
    let input = Input { arguments, ..Input::default() };
    Machine::new(&image).run(entry, &input, &Budget::default(), Options::default()).outcome.ending
}

#[track_caller]
fn returns(text: &str, arguments: Vec<Given>, value: i128) {
    assert_eq!(call(text, arguments), Ending::Returned(Some(Scalar::Int(value))), "{text}");
}

fn int(value: i128) -> Given {
    Given::int(IntKind::Int, value)
}

fn record(parts: Vec<(&str, u64, Given)>) -> Given {
    Given::Record(parts.into_iter().map(|(name, at, part)| (name.to_string(), at, part)).collect())
}

const NODE: &str = "struct node { int value; struct node *next; };";

#[test]
fn lists_strings_and_records_by_value() {
    let last = Given::Object { size: 16, contents: Box::new(record(vec![("value", 0, int(5))])) };
    let first = record(vec![("value", 0, int(2)), ("next", 8, last)]);
    let sum = format!("{NODE} int f(struct node *n) {{ int s = 0; for (; n; n = n->next) s += n->value; return s; }}");
    returns(&sum, vec![Given::Object { size: 16, contents: Box::new(first.clone()) }], 7);
    returns(&sum, vec![Given::Null], 0);
    let by_value = format!("{NODE} int f(int k, struct node n) {{ return k + n.value + n.next->value; }}");
    returns(&by_value, vec![int(100), first], 107);
    let length = "unsigned long strlen(const char *);\nint f(const char *s) { return (int)strlen(s); }";
    returns(length, vec![Given::text("abc")], 3);
    let bits = "struct s { unsigned a : 3, b : 5; }; int f(struct s *s) { return s->a * 100 + s->b; }";
    let fields = record(vec![
        ("a", 0, Given::Bits { first: 0, width: 3, value: 5 }),
        ("b", 0, Given::Bits { first: 3, width: 5, value: 17 }),
    ]);
    returns(bits, vec![Given::Object { size: 4, contents: Box::new(fields) }], 517);
}

#[test]
fn functions_streams_and_pointers_into_arguments() {
    let apply = "static int twice(int x) { return 2 * x; } int f(int (*g)(int), int x) { return g(x) + (twice != 0); }";
    returns(apply, vec![Given::Function("twice".into()), int(4)], 9);
    let read = "typedef struct _IO_FILE FILE; int getc(FILE *);\nint f(FILE *in) { int n = 0, c; while ((c = getc(in)) != -1) n += c; return n; }";
    returns(read, vec![Given::File(vec![1, 2, 3])], 6);
    let range = "int f(const int *p, const int *end) { int s = 0; while (p < end) s += *p++; return s; }";
    let three = Given::Object { size: 12, contents: Box::new(Given::Array(4, vec![int(1), int(2), int(3)])) };
    returns(range, vec![three, Given::Within { argument: 0, offset: 12 }], 6);
}

#[test]
fn what_the_programs_own_functions_make() {
    let text = "void *malloc(unsigned long); void free(void *); void abort(void);\nstruct box { int secret; };\n\
        struct box *make(int n) { if (n < 0) abort(); struct box *b = malloc(sizeof *b); b->secret = n * n; return b; }\n\
        void init(struct box *b, int n) { b->secret = n; }\n\
        int f(struct box *b) { int s = b->secret; free(b); return s; }";
    let made = |by: &str, arguments: Vec<Given>, first: bool| vec![Given::Made { by: by.into(), arguments, first }];
    returns(text, made("make", vec![int(6)], false), 36);
    let room = Given::Object { size: 4, contents: Box::new(Given::Nothing) };
    returns(text, made("init", vec![room, int(7)], true), 7);
    // What its maker refuses to make is no input.
    assert!(matches!(call(text, made("make", vec![int(-1)], false)), Ending::Assumed { .. }));
}

#[test]
fn objects_are_as_large_as_they_are_given() {
    let text = "int f(const int *p) { return p[1]; }";
    let one = Given::Object { size: 4, contents: Box::new(Given::Array(4, vec![int(1)])) };
    let Ending::Faulted(finding) = call(text, vec![one]) else { panic!("the second element should not be there") };
    assert_eq!(finding.rule, Rule::OutOfBounds);
    let Ending::Faulted(finding) = call(text, vec![Given::Null]) else { panic!("null should not be read") };
    assert_eq!(finding.rule, Rule::NullDereference);
}

#[test]
fn a_result_that_is_a_record_goes_nowhere() {
    let text = "struct pair { long a, b; }; struct pair f(long x) { struct pair p = { x, 2 * x }; return p; }";
    assert_eq!(call(text, vec![Given::int(IntKind::Long, 3)]), Ending::Returned(None));
}
