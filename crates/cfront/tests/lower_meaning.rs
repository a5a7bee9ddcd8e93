//! What C snippets become: statements of the function `f` in the text form, one case per rule of C.

/// The statements of `f`, each on a line, without those that only bring variables to life.
fn lowered(text: &str) -> String {
    let loaded = match cfront::load_text(&[("t.c", text)]) {
        Ok(loaded) => loaded,
        Err(cfront::Failure::Program { findings, sources }) => {
            let shown: Vec<String> =
                findings.iter().map(|f| format!("{}: {}", sources.describe(f.span), f.message)).collect();
            panic!("{text}\n{}", shown.join("\n"));
        }
        Err(cfront::Failure::Environment(trouble)) => panic!("{trouble}"),
    };
    let problems: Vec<String> = ir::verify(&loaded.program).iter().map(|p| p.describe(&loaded.program)).collect();
    assert!(problems.is_empty(), "{text}\n{}", problems.join("\n"));
    let id = loaded.program.find_function("f").expect("the snippet should define f");
    let printed = ir::print_function(&loaded.program, id);
    let body = printed.split_once("\n{\n").expect("a function with a body should have braces").1;
    let lines: Vec<&str> = body
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("live ") && !line.starts_with("scope ") && !line.is_empty())
        .collect();
    lines[..lines.len() - 1].join("\n")
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(lowered(text), expected.join("\n"), "{text}");
    }
}

#[test]
fn conversions_are_explicit() {
    check(&[
        ("long f(int a) { return a; }", "return %a as long;"),
        ("int f(char a, short b) { return a + b; }", "return (%a as int) + (%b as int);"),
        ("int f(int a, unsigned b) { return a < b; }", "return (%a as uint) < %b;"),
        ("long f(long a, unsigned b) { return a * b; }", "return %a * (%b as long);"),
        ("double f(float a, int b) { return a / b; }", "return (%a / (%b as float)) as double;"),
        ("double f(void) { return 1; }", "return 1.0;"),
        ("int f(unsigned char c) { return ~c; }", "return ~(%c as int);"),
        ("int f(short s, long n) { return s << n; }", "return (%s as int) << %n;"),
        ("_Bool f(int *p) { return p; }", "return %p as bool;"),
        ("int f(int *p) { return p == 0; }", "return %p == (0 as *int);"),
        ("int *f(int *p, unsigned n) { return p + n; }", "return %p +ptr (%n as long);"),
        ("long f(int *p, int *q) { return p - q; }", "return %p -ptr %q;"),
    ]);
}

#[test]
fn bit_fields_are_promoted_by_width() {
    let text = "struct s { unsigned a : 3; unsigned b : 32; }; int f(struct s s) { return s.a < -1; }";
    assert_eq!(lowered(text), "return (%s.a as int) < -(1);");
    let text = "struct s { unsigned a : 3; unsigned b : 32; }; int f(struct s s) { return s.b < -1; }";
    assert_eq!(lowered(text), "return %s.b < (-(1) as uint);");
}

#[test]
fn side_effects_come_out_in_order() {
    check(&[
        (
            "int f(int i) { return i++ + i; }",
            "unordered undefined \"`i++` changes `i` and `i` uses it, in no order\";
             %#1 = %i;
             %i = %#1 + 1;
             return %#1 + %i;",
        ),
        ("int f(int i, int j) { return i++ + j; }", "%#2 = %i;\n%i = %#2 + 1;\nreturn %#2 + %j;"),
        ("int f(int i) { return ++i * 2; }", "%i = %i + 1;\nreturn %i * 2;"),
        (
            "void f(char *p, char *q) { while ((*p++ = *q++)) ; }",
            "while pre {
             %#2 = %p;
             %p = %#2 +ptr 1_long;
             %#3 = %q;
             %q = %#3 +ptr 1_long;
             %#4 = (*%#3);
             (*%#2) = %#4;
             } %#4 {
             }",
        ),
        (
            "int h(void); int f(int a) { return a && h(); }",
            "%#2 = %a != 0;
          if %#2 {
          %#1 = call @h();
          %#2 = %#1 != 0;
          }
          return %#2;",
        ),
        (
            "int g; int h(void); int f(void) { return g + h(); }",
            "unordered open \"`g` and `h()` come in either order and may do anything\";
          %#1 = $g;
          %#0 = call @h();
          return %#1 + %#0;",
        ),
        ("int h(void); int f(int a) { a = h(); return a; }", "%a = call @h();\nreturn %a;"),
        ("int h(void); int f(int a) { a += h(); return a; }", "%#1 = call @h();\n%a = %a + %#1;\nreturn %a;"),
        ("int f(int a, int b) { return a > 0 && b > 0 ? a : b; }", "return ((%a > 0) && (%b > 0)) ? %a : %b;"),
        ("void f(int *a, int i) { a[i] += 2; }", "(*%a +ptr (%i as long)) = (*%a +ptr (%i as long)) + 2;"),
        ("int f(int a, int b) { a = b = 3; return (a, b); }", "%b = 3;\n%a = %b;\nreturn %b;"),
    ]);
}

#[test]
fn conventions_become_statements() {
    check(&[
        ("void vassume(int b) {} void f(int n) { vassume(n >= 0); }", "assume %n >= 0;"),
        (
            "void vtrace1(int a, int b) {} void f(int x, int y) { vtrace1(x, y + 1); }",
            "trace \"vtrace1\" (\"x\" = %x, \"y + 1\" = %y + 1);",
        ),
        (
            "int __VERIFIER_nondet_int(void); int f(void) { int n = __VERIFIER_nondet_int(); return n; }",
            "%n = call nondet();\nreturn %n;",
        ),
        (
            "void f(int n) { __VERIFIER_assume(n); __VERIFIER_assert(n > 1); }",
            "assume %n;\nassert verifier %n > 1 \"n > 1\";",
        ),
        ("void reach_error(void); void f(void) { reach_error(); }", "assert reach_error 0 \"reach_error()\";"),
        (
            "void __assert_fail(const char *, const char *, unsigned, const char *);
          void f(int n) { ((n > 0) ? (void) (0) : __assert_fail(\"n > 0\", \"t.c\", 1, \"f\")); }",
            "assert %n > 0 \"n > 0\";",
        ),
    ]);
}

#[test]
fn a_deep_expression_is_cut_by_temporaries() {
    let sum = vec!["a"; 3000].join(" + ");
    let loaded = cfront::load_text(&[("t.c", &format!("int f(int a) {{ return {sum}; }}"))]).unwrap();
    let (_, function, body) = loaded.program.defined_functions().next().unwrap();
    assert!(function.locals.len() > 10, "the sum should be cut");
    let mut highest = 0;
    body.walk(&mut |stmt| {
        for expr in stmt.exprs() {
            highest = highest.max(height(expr));
        }
    });
    assert!(highest < 500, "no expression should be high, and one is {highest}");
}

fn height(expr: &ir::Expr) -> usize {
    1 + expr.children().into_iter().map(height).max().unwrap_or(0)
}
