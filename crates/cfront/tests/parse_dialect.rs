//! What C11 does not have and real programs use: each such program has the tree of one that spells it out.

use cfront::parse::{Ast, parse};
use cfront::preprocess::{Unit, tokens};
use diagnostics::{Rule, SourceMap};

fn unit(source: &[u8]) -> Unit {
    let mut map = SourceMap::new();
    Unit::from_preprocessed("case.c", source, &mut map, 0).expect("the text should be taken")
}

fn tree(source: &str) -> Ast {
    parse(&unit(source.as_bytes())).unwrap_or_else(|finding| panic!("{source}\n  does not parse: {}", finding.message))
}

/// A tree without its spans.
fn printed(tree: &Ast) -> String {
    let full = format!("{:?}", tree.0);
    let mut pieces = full.split('…');
    let mut result = String::new();
    if let Some(first) = pieces.next() {
        result.push_str(first.trim_end_matches(|c: char| c.is_ascii_digit()));
    }
    for piece in pieces {
        result.push_str(piece.trim_matches(|c: char| c.is_ascii_digit()));
    }
    result
}

/// Program and the one that says the same in words the tree has; `=` where there is nothing to spell out.
const SAME: &[(&str, &str)] = &[
    (
        "int f(int a){ switch(a){ case 1: a=2; __attribute__((fallthrough)); case 2 ... 5: return 1; } return 0; }",
        "int f(int a){ switch(a){ case 1: a=2; ; case 2 ... 5: return 1; } return 0; }",
    ),
    ("void f(void){ if (1) __attribute__((unused)) ; }", "void f(void){ if (1) ; }"),
    ("void f(void){ l: __attribute__((unused)) ; }", "void f(void){ l: ; }"),
    ("void f(void){ l: __attribute__((unused)) int x; }", "void f(void){ l:; __attribute__((unused)) int x; }"),
    ("[[nodiscard]] int g(void); int x [[gnu::unused]];", "int g(void); int x ;"),
    ("int a[2]; int b = a[a[0]];", "="),
    ("int x = __extension__ (int) 3; __extension__ typedef long long q;", "int x = (int) 3; typedef long long q;"),
    ("__int128 x;", "__int128_t x;"),
    ("static unsigned __int128 const x; __int128 unsigned y;", "static __uint128_t const x; __uint128_t y;"),
    ("signed __int128 x; __int128 unsigned const y;", "__int128_t x; __uint128_t const y;"),
    ("__float128 x; __float80 y;", "_Float128 x; long double y;"),
    ("void f(void){ __auto_type x = 1; }", "="),
    (
        "_Static_assert(1); _Static_assert(sizeof(int), \"a\");",
        "_Static_assert(1,\"\"); _Static_assert(sizeof(int), \"a\");",
    ),
    ("void f(void){ __asm__ goto (\"nop\" : : : : l); l: ; }", "void f(void){ __plumb_asm_goto(); l: ; }"),
    ("void f(void){ __asm__ volatile inline (\"nop\"); }", "void f(void){ __asm__ volatile (\"nop\"); }"),
    ("void f(void){ __asm__ volatile (\"nop\" : \"=r\"(*(int*)0) : [x] \"r\"(1) : \"memory\"); }", "="),
    ("void f(int * _Nonnull p);", "void f(int * p);"),
    ("static __thread int x;", "static _Thread_local int x;"),
    (
        "struct __attribute__((packed)) s { int a __attribute__((aligned(8))); } x; struct __attribute__((unused)) s *p;",
        "struct s { int a __attribute__((aligned(8))); } __attribute__((packed)) x; struct s *p;",
    ),
    (
        "typedef union __attribute__((packed)) __attribute__((aligned(4))) { struct __attribute__((packed)) { int b; } a; } U; U u;",
        "typedef union { struct { int b; } __attribute__((packed)) a; } __attribute__((packed)) __attribute__((aligned(4))) U; U u;",
    ),
    (
        "enum __attribute__((packed)) e { A, B } x; struct s { int a; } __attribute__((packed)) y;",
        "enum e { A, B } __attribute__((packed)) x; struct s { int a; } __attribute__((packed)) y;",
    ),
    (
        "struct s { char _Alignas(8) a; _Alignas(int) char b; };",
        "struct s { char __attribute__((aligned(8))) a; __attribute__((aligned(_Alignof(int)))) char b; };",
    ),
    ("_Alignas(16) int x;", "="),
    ("void f(void) __attribute__((noreturn)); int x __attribute__((section(\"a\"))) = 1;", "="),
    (";; int x;; void f(void) {}; int y;", "int x; void f(void) {} int y;"),
    ("struct e {;}; struct g { int a;; int b; };", "struct e { }; struct g { int a; int b; };"),
    ("struct p { int x; } const q[] = { { 1 }, }; int r = (int){ 1 };", "="),
    ("int a[5] = { [1 ... 3] = 5 }; struct s { int a; } x = { a: 1 }; int b[] = {};", "="),
    ("int f(){ return ({ int x = 1; x; }); }", "="),
    ("int f(a, b) int a; char *b; { return a; }", "="),
    ("main() { return 0; }", "int main() { return 0; }"),
    (
        "static n; f(a) { return a; } extern m[3]; g(a) char *a; { }",
        "static int n; int f(a) { return a; } extern int m[3]; int g(a) char *a; { }",
    ),
    ("typedef int T; T (x); T (*fp)(int); static T y;", "="),
    ("int f(int a) { return a ?: 3; }", "int f(int a) { return a ? __plumb_same : 3; }"),
    (
        "void f(void) { void *p = &&l; goto *p; l: goto *(&&l + 1); }",
        "void f(void) { void *p = __plumb_label_address(l); __plumb_computed_goto(p); l: __plumb_computed_goto((__plumb_label_address(l) + 1)); }",
    ),
    ("int f(int a, int b) { return a && b || (a) && (b); }", "="),
    ("int z = sizeof(int){1};", "int z = sizeof((int){1});"),
    (
        "int y; int x = __alignof__(int) + __alignof__(y);",
        "int y; int x = __alignof__(int) + __alignof__(__typeof__(y));",
    ),
    ("int x = __builtin_types_compatible_p(int, long *);", "="),
    ("void f(void) { end: }", "void f(void) { end: ; }"),
    (
        "void f(int a) { switch (a) { case 1: int x = 2; default: } }",
        "void f(int a) { switch (a) { case 1: ; int x = 2; default: ; } }",
    ),
    (
        "typedef int T; void f(void) { l: T x = 1; m: x = 2; n: return; }",
        "typedef int T; void f(void) { l: ; T x = 1; m: x = 2; n: return; }",
    ),
    ("struct s { int : 3; unsigned b : 2, c : 1; };", "="),
    ("int x = 1 ? (int) 2 : (char) 3; int y = _Generic(1, int: 1, default: 2);", "="),
    ("void f(void) { __label__ a, b; a: ; b: ; }", "void f(void) { a: ; b: ; }"),
    ("int a<:2:> = <% 1, 2 %>; int f(void) <% return a<:0:>; %>", "int a[2] = { 1, 2 }; int f(void) { return a[0]; }"),
    ("int a$b = 1, c\u{e9} = 2;", "int a_x24b = 1, c_xC3_xA9 = 2;"),
    ("const char *s = \"__extension__ a ?: b &&l }{\"; char c = '\"'; int q = '\\''; int r = L'x';", "="),
    (
        "_Atomic int x; _Atomic(int) y; _Complex double z; __signed__ char c; typeof(1) t; _Noreturn void g(int *restrict p);",
        "=",
    ),
    ("int f(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); return __builtin_va_arg(ap, int); }", "="),
    ("typedef int T; int f(int T) { return T * 2; } int g(void) { { int T; } T x; return x; }", "="),
];

#[test]
fn programs_have_the_tree_of_what_they_mean() {
    let mut wrong = Vec::new();
    for (source, expected) in SAME {
        let expected = if *expected == "=" { source } else { expected };
        let (own, other) = (printed(&tree(source)), printed(&tree(expected)));
        if own != other {
            wrong.push(format!("{source}\n  gives   {own}\n  and not {other}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Meaning that the tree has no place for is reported.
#[test]
fn nothing_is_dropped_silently() {
    let cases = [
        ("asm(\"foo\"); int x;", "assembler code at file level"),
        ("struct s { int a; } [[gnu::packed]] x;", "changes what the program means"),
    ];
    for (source, what) in cases {
        let tree = tree(source);
        let reported = tree.unsupported.iter().any(|f| f.rule == Rule::Unsupported && f.message.contains(what));
        assert!(reported, "{source}: {:?}", tree.unsupported);
    }
}

#[test]
fn literals_keep_their_bytes() {
    let source = "const char *s = \"caf\u{e9} \u{2713}\"; int x = 1 ?: 2; char c = '\u{e9}';";
    let unit = unit(source.as_bytes());
    assert!(unit.text.is_ascii());
    let literal = |n: usize| {
        let quoted = |t: &&cfront::preprocess::Token| matches!(unit.text.as_bytes()[t.start as usize], b'"' | b'\'');
        let all = tokens(unit.text.as_bytes());
        let token = *all.iter().filter(quoted).nth(n).expect("the literal should be in the text");
        String::from_utf8_lossy(unit.bytes(diagnostics::Span::new(token.start, token.end))).into_owned()
    };
    assert_eq!(literal(0), "\"caf\u{e9} \u{2713}\"");
    assert_eq!(literal(1), "'\u{e9}'");
}
