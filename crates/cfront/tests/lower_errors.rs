//! What is said about wrong programs: place, rule, and words of the message.

/// The findings of a text: severity, rule, message, and the words in the text they are about.
fn findings(texts: &[(&str, &str)]) -> Vec<String> {
    let findings = match cfront::load_text(texts) {
        Ok(loaded) => loaded.findings,
        Err(cfront::Failure::Program { findings, .. }) => findings,
        Err(cfront::Failure::Environment(trouble)) => panic!("{trouble}"),
    };
    // The program text is the units end to end.
    let whole: String = texts.iter().map(|(_, text)| format!("{text}\n")).collect();
    let words = |f: &diagnostics::Finding| whole[f.span.lo as usize..f.span.hi as usize].to_string();
    let show = |f: &diagnostics::Finding| format!("{}: {} {}: {}", words(f), f.severity.name(), f.rule.id(), f.message);
    findings.iter().map(show).collect()
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let found = findings(&[("t.c", text)]);
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn type_errors_have_a_place_and_name_the_types() {
    check(&[
        ("int f(void) { return x; }", "x: error undeclared: `x` is not declared"),
        ("int f(void) { return g(1); }", "g: warning implicit-declaration: `g` is called without a declaration"),
        (
            "struct s { int a; }; int f(struct s s) { return s.b; }",
            "s.b: error type-error: `struct s` has no member `b`",
        ),
        (
            "struct s { int a; }; int f(struct s s) { return s + 1; }",
            "s + 1: error type-error: `+` cannot be applied to `struct s` and `int`",
        ),
        (
            "void f(int *p) { *p = p; }",
            "p: warning type-error: assignment: the pointer type `int *` becomes the integer type `int`",
        ),
        (
            "void f(int *p, char **q) { p = q; }",
            "q: warning type-error: assignment: `char **` does not fit the pointer type `int *`",
        ),
        (
            "int g(int a, int b); int f(void) { return g(1); }",
            "g(1): error type-error: too few arguments for `g`: 1 given, 2 expected",
        ),
        ("void f(const int c) { c = 1; }", "c: error type-error: an object declared `const` is assigned to"),
        ("int a[-1];", "-1: error type-error: the length of the array is negative"),
        (
            "void f(int n) { switch (n) { case 1: case 1: ; } }",
            "case 1: error type-error: the case 1 stands twice in the switch",
        ),
        ("void f(void) { goto l; }", "l: error undeclared: the label `l` is not defined"),
        ("void f(void) { break; }", "break;: error type-error: `break` outside a loop or switch"),
        ("struct s x;", "x: error type-error: the variable `x` has the incomplete type `struct s`"),
        ("int f(void); char f(void);", "f: error type-error: `f` was `int (void)` and is now `char (void)`"),
        ("int g; int x = g;", "g: error type-error: the initialiser of a `static` object must be constant"),
        (
            "_Static_assert(sizeof(int) == 2, \"small\");",
            "sizeof(int) == 2: error type-error: the static assertion does not hold: small",
        ),
    ]);
}

#[test]
fn one_error_does_not_hide_the_next() {
    check(&[(
        "void f(void) { a = 1; b = 2; a = 3; }",
        "a: error undeclared: `a` is not declared
         b: error undeclared: `b` is not declared",
    )]);
    let many: String = (0..100).map(|i| format!("x{i} = 1; ")).collect();
    assert_eq!(findings(&[("t.c", &format!("void f(void) {{ {many} }}"))]).len(), 20);
}

#[test]
fn what_has_no_model_is_a_statement_and_only_where_it_is_used() {
    let text = "_Float128 z; double f(double x) { if (x > 0) { z = x; } asm(\"cpuid\"); return x; }";
    let loaded = cfront::load_text(&[("t.c", text)]).unwrap();
    let mut unsupported = Vec::new();
    for (_, _, body) in loaded.program.defined_functions() {
        body.walk(&mut |stmt| {
            if let ir::StmtKind::Unsupported(what) = &stmt.kind {
                unsupported.push(what.clone());
            }
        });
    }
    assert_eq!(unsupported, ["_Float128 and decimal floating types", "inline assembly"]);
    assert!(ir::verify(&loaded.program).is_empty());
}

#[test]
fn units_that_do_not_fit() {
    let two = [("a.c", "int x = 1; int f(void) { return x; }"), ("b.c", "int x = 2;")];
    assert_eq!(findings(&two), ["x: error link-error: `x` is defined in two units"]);
    let types = [("a.c", "extern long y; long f(void) { return y; }"), ("b.c", "int y = 2;")];
    assert_eq!(findings(&types), ["y: error link-error: `y` is declared with different types in two units"]);
    let functions = [("a.c", "int f(void) { return 1; }"), ("b.c", "int f(void) { return 2; }")];
    assert_eq!(findings(&functions), ["f: error link-error: `f` is defined in two units"]);
}

#[test]
fn units_that_fit_share_types_and_keep_static_names_apart() {
    let header = "struct node { struct node *next; int value; }; extern struct node list; ";
    let a = format!("{header} static int n = 1; int sum(struct node *p); int main(void) {{ return sum(&list) + n; }}");
    let b = format!("{header} struct node list; static int n = 2; int sum(struct node *p) {{ return p->value + n; }}");
    let loaded = cfront::load_text(&[("a.c", &a), ("b.c", &b)]).unwrap();
    assert_eq!(loaded.findings, []);
    assert_eq!(loaded.program.types.records.len(), 1);
    assert_eq!(loaded.program.globals.values().filter(|g| g.name == "n").count(), 2);
    assert!(ir::verify(&loaded.program).is_empty());
}
