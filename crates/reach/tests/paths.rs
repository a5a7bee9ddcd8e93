//! Paths over abstract data types: solutions that are known, verdicts, and on random paths agreement with runs on all
//! small inputs.

use ir::{FunctionId, Program};
use reach::paths::error::Kind;
use reach::paths::skeleton::skeleton;
use reach::paths::{Config, PathError, PathReport, solve};
use rewriting::{Limits, System, read_rules};

const REACHED: &str = "reached";
const UNREACHABLE: &str = "unreachable";
const UNKNOWN: &str = "unknown";

const RULES: &str = include_str!("../../../examples/reach/tree.rules");

const TREES: &str = "typedef struct tree *tree; typedef struct stack *stack; int is_null(tree); tree left(tree); tree right(tree);\n\
    stack push(tree, stack); stack pop(stack); tree top(stack); int is_empty(stack); stack empty(void); void visit(tree);\n";

fn load(text: &str) -> Program {
    match cfront::load_text(&[("test.c", text)]) {
        Ok(loaded) => loaded.program,
        Err(cfront::Failure::Program { findings, .. }) => panic!("the program should load: {findings:?}\n{text}"),
        Err(cfront::Failure::Environment(error)) => panic!("the program should load: {error:?}"),
    }
}

/// An example without its comment, which only the preprocessor takes out.
fn example(text: &str) -> &str {
    text.split_once("*/").expect("an example should start with a comment").1
}

fn rules(text: &str) -> System {
    let reading = read_rules(text);
    assert!(!reading.has_errors(), "{:?}", reading.problems);
    reading.system
}

fn only_function(program: &Program) -> FunctionId {
    program.defined_functions().last().expect("a function should be defined").0
}

fn try_solve(c: &str, rules_text: &str, path: &str, limits: Limits) -> Result<PathReport, PathError> {
    let program = load(c);
    let config = Config { limits, ground: false };
    solve(&program, only_function(&program), path, &rules(rules_text), &config, &|| false)
}

fn bindings(report: &PathReport) -> Vec<String> {
    let one =
        |pairs: &[(String, String)]| pairs.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ");
    report.solutions.iter().map(|solution| one(&solution.bindings)).collect()
}

/// All solutions, each of which must have been replayed.
fn check(c: &str, rules_text: &str, path: &str, verdict: &str, expected: &[&str]) {
    let limits = Limits { depth: Some(30), solutions: Some(20), ..Limits::default() };
    let report = try_solve(c, rules_text, path, limits).unwrap_or_else(|error| panic!("{path} of\n{c}: {error:?}"));
    assert_eq!(reach::word(&report.verdict), verdict, "{path} of\n{c}: {report:?}");
    assert_eq!(bindings(&report), expected, "{path} of\n{c}");
    for solution in &report.solutions {
        assert_eq!(solution.replay.failure, None, "{path} of\n{c}");
    }
}

#[test]
fn the_example_of_the_paper() {
    let preorder = example(include_str!("../../../examples/reach/preorder.c"));
    let report = try_solve(preorder, RULES, "T([F T; T F; ..])", Limits::default()).expect("the path should be solved");
    assert_eq!(bindings(&report), ["t = tree(u, null, tree(v, tree(w, x, y), null))"]);
    assert!(report.complete);
    assert_eq!(report.solutions[0].free, ["u", "v", "w", "x", "y"]);
    assert_eq!(report.solutions[0].replay.failure, None);
    // The source counts 75; see the limitations for where the difference may come from.
    assert_eq!(report.size, 66);
}

/// Stacks that together have n nodes: binomial(2n - 1, n).
#[test]
fn exactly_n_iterations() {
    let traverse = example(include_str!("../../../examples/reach/traverse.c"));
    for (times, expected) in [(0, 1), (1, 1), (2, 3), (3, 10), (4, 35), (5, 126)] {
        let path = format!("[#{times}]");
        let report = try_solve(traverse, RULES, &path, Limits::default()).expect("the path should be solved");
        assert_eq!((report.solutions.len(), report.complete), (expected, true), "{path}");
        assert!(report.solutions.iter().all(|solution| solution.replay.failure.is_none()), "{path}");
        if times == 3 {
            let trees = |count: usize| {
                let pushes = |text: &String| text.matches("push(").count();
                bindings(&report).iter().filter(|text| pushes(text) == count).count()
            };
            assert_eq!([trees(1), trees(2), trees(3)], [5, 4, 1]);
            assert_eq!(report.size, 18);
        }
    }
}

#[test]
fn what_c_may_do_on_a_path() {
    let f = |body: &str| format!("{TREES}int f(tree t, int n) {{ {body} }}");
    // Connectives with calls are one condition.
    check(
        &f("if (!is_null(t) && is_null(left(t))) return 1; return 0;"),
        RULES,
        "T",
        REACHED,
        &["t = tree(u, null, v), n = n"],
    );
    check(
        &f("if (!is_null(t) && is_null(left(t))) return 1; return 0;"),
        RULES,
        "F",
        REACHED,
        &["t = null, n = n", "t = tree(u, tree(v, w, x), y), n = n"],
    );
    check(
        &f("t = is_null(t) ? t : left(t); if (is_null(t)) return 1; return 0;"),
        RULES,
        "T",
        REACHED,
        &["t = null, n = n", "t = tree(u, null, v), n = n"],
    );
    // An operation without a rule for its arguments has no value: the run does not go on.
    check(&f("if (n == 3) t = left(t); return 0;"), RULES, "T", REACHED, &["t = tree(u, v, w), n = 3"]);
    check(&f("visit(t); if (is_null(t)) t = left(t); return 0;"), RULES, "T", UNREACHABLE, &[]);
    // Loops of every kind.
    check(
        &f("for (; !is_null(t); t = left(t)) { if (is_null(right(t))) continue; n = 0; } return n;"),
        RULES,
        "[T; F]",
        REACHED,
        &["t = tree(u, tree(v, null, tree(w, x, y)), null), n = n"],
    );
    check(
        &f("do { t = left(t); } while (!is_null(t)); return n;"),
        RULES,
        "[(); ()]",
        REACHED,
        &["t = tree(u, tree(v, null, w), x), n = n"],
    );
    check(
        &f("while (1) { if (is_null(t)) break; t = right(t); } return n;"),
        RULES,
        "[F; T]",
        REACHED,
        &["t = tree(u, v, null), n = n"],
    );
    check(
        &f("while (1) { if (is_null(t)) break; t = right(t); } return n;"),
        RULES,
        "[#2]",
        REACHED,
        &["t = tree(u, v, null), n = n"],
    );
    // A loop inside one whose iterations are not said: its own number of rounds is found.
    let nested = f("while (n > 0) { while (!is_null(t)) t = left(t); n--; } return n;");
    let report = try_solve(&nested, RULES, "[#1]", Limits { solutions: Some(2), ..Limits::default() }).expect("solved");
    assert_eq!(bindings(&report), ["t = null, n = 1", "t = tree(u, null, v), n = 1"]);
    assert_eq!(report.solutions[1].replay.path, "[[()]]");
    // Integers.
    check(&f("if (n > 2 && n < 4) return 1; return 0;"), RULES, "T", REACHED, &["t = t, n = 3"]);
    check(&f("if (n * n == 2) return 1; return 0;"), RULES, "T", UNREACHABLE, &[]);
    check(&f("if (n + 1 < n) return 1; return 0;"), RULES, "T", UNREACHABLE, &[]);
    check(&f("unsigned u = n; if (u + 1 == 0) return 1; return 0;"), RULES, "T", REACHED, &["t = t, n = -1"]);
    check(
        &f("switch (n) { case 1: return 1; case 2: n = 3; default: if (is_null(t)) return 2; } return 0;"),
        RULES,
        "{2}(T)",
        REACHED,
        &["t = null, n = 2"],
    );
    check(&f("switch (n) { case 1: return 1; } return 0;"), RULES, "{default}", REACHED, &["t = t, n = 0"]);
    check(&f("int x; if (n > 0) x = 1; if (x == 1) return 1; return 0;"), RULES, "F T", UNREACHABLE, &[]);
    check(&f("if (100 / n == 33) return 1; return 0;"), RULES, "T", REACHED, &["t = t, n = 3"]);
    // Functions with a body are put in, updates by address are assignments.
    let helper = format!(
        "{TREES}static int g(tree t) {{ if (is_null(t)) return 4; return 5; }}\nint f(tree t) {{ if (g(t) == 5) return 1; return 0; }}"
    );
    check(&helper, RULES, "T", REACHED, &["t = tree(u, v, w)"]);
    let update = "typedef struct tree *tree; typedef struct stack *stack; void pop(stack *); int is_empty(stack);\n\
        int f(stack s) { pop(&s); if (is_empty(s)) return 1; return 0; }";
    check(update, RULES, "T", REACHED, &["s = push(u, empty)"]);
}

#[test]
fn values_in_data_and_open_sorts() {
    let rules = "sort elem\nsort list = nil | cons(elem, list)\nsort ints = none | some(int, ints)\n\
        has(_, nil) -> false\nhas(X, cons(Y, L)) -> X == Y || has(X, L)\n\
        head(cons(X, _)) -> X\nsum(none) -> 0\nsum(some(N, L)) -> N + sum(L)\nlength(none) -> 0\nlength(some(_, L)) -> 1 + length(L)\n";
    let c = "typedef struct elem *elem; typedef struct list *list; typedef struct ints *ints; int has(elem, list); elem head(list);\n\
        int sum(ints); int length(ints);\n";
    check(
        &format!(
            "{c}int f(list l, elem e) {{ if (has(e, l)) {{ if (!has(head(l), l)) return 2; return 1; }} return 0; }}"
        ),
        rules,
        "T(T)",
        UNKNOWN,
        &[],
    );
    check(
        &format!("{c}int f(ints l) {{ if (length(l) == 2 && sum(l) == 7) return 1; return 0; }}"),
        rules,
        "T",
        REACHED,
        &["l = some(7, some(0, none))"],
    );
    let report = try_solve(
        &format!("{c}int f(list l, elem e) {{ if (has(e, l)) return 1; return 0; }}"),
        rules,
        "T",
        Limits { solutions: Some(1), ..Limits::default() },
    )
    .expect("the path should be solved");
    assert_eq!(bindings(&report), ["l = cons(elem0, v), e = elem0"]);
    assert_eq!(report.solutions[0].general.as_ref().map(|g| g.constraints.clone()), Some(vec!["e == u".to_string()]));
}

#[test]
fn what_cannot_be_followed_has_a_place() {
    let f = |body: &str| format!("{TREES}int other(tree); int f(tree t, int *p, double d) {{ {body} }}");
    for (body, path, kind, said) in [
        ("if (is_null(t)) return 1; return 0;", "T F", Kind::Path, "the function returns"),
        ("if (is_null(t)) return 1; return 0;", "", Kind::Path, "the path ends before the `if`"),
        ("if (is_null(t)) return 1; return 0;", "[T]", Kind::Path, "wants T or F"),
        ("while (is_null(t)) t = left(t); return 0;", "T", Kind::Path, "wants [ ]"),
        ("for (;;) { if (is_null(t)) break; }", "[F; F]", Kind::Path, "has no condition"),
        ("do { } while (is_null(t));", "[]", Kind::Path, "runs at least once"),
        ("for (;;) { if (is_null(t)) break; }", "[T; F]", Kind::Path, "the loop is left by `break`"),
        ("if (*p) return 1; return 0;", "T", Kind::Unsupported, "memory behind a pointer"),
        ("if (d > 1) return 1; return 0;", "T", Kind::Unsupported, "floating-point"),
        ("if (t) return 1; return 0;", "T", Kind::Unsupported, "as pointers"),
        ("t = 0; if (is_null(t)) return 1; return 0;", "T", Kind::Unsupported, "null pointer"),
        ("if (other(t)) return 1; return 0;", "T", Kind::Unsupported, "neither rules nor a body"),
        ("if (is_null(t)) goto out; return 0; out: return 1;", "T", Kind::Unsupported, "`goto`"),
        ("while (!is_null(t)) { if (d > 2) return 1; t = left(t); }", "[#1]", Kind::Unsupported, "floating-point"),
        ("while (!is_null(t)) { return 1; }", "[#1]", Kind::Unsupported, "`return` inside a loop"),
    ] {
        let error = try_solve(&f(body), RULES, path, Limits::default()).expect_err(body);
        assert_eq!(error.kind, kind, "{body}: {error:?}");
        assert!(error.message.contains(said), "{body}: {error:?}");
        assert!(error.at.is_some() || error.span.is_some(), "{body}: {error:?}");
    }
    for (c, said) in [
        (
            "typedef struct tree *tree; tree is_null(tree); tree f(tree t) { return is_null(t); }",
            "the result of `is_null` is `struct tree *` in C, and of sort `bool`",
        ),
        (
            "typedef struct tree *tree; int left(tree); int f(tree t) { return left(t); }",
            "the result of `left` is `int` in C, and of sort `tree`",
        ),
        ("typedef struct tree *tree; tree left(tree, int); tree f(tree t) { return left(t, 1); }", "2 parameters in C"),
        (
            "typedef struct tree *tree; tree top(tree); tree f(tree t) { return top(t); }",
            "stands for the sort `tree`, and of sort `stack`",
        ),
    ] {
        let error = try_solve(c, RULES, "", Limits::default()).expect_err(c);
        assert_eq!(error.kind, Kind::Sort, "{c}: {error:?}");
        assert!(error.message.contains(said), "{c}: {error:?}");
        assert!(error.rules.is_some(), "{c}: {error:?}");
    }
}

/// Every example path of a skeleton is one that the function can be asked for.
#[test]
fn examples_of_skeletons_are_paths() {
    for (body, notation, example) in [
        ("if (is_null(t)) { n = 1; } else { while (n > 0) n--; } return n;", "T|F([(); ..])", "T"),
        ("for (;;) { if (n) break; }", "[T|F; ..]", "[T]"),
        ("for (;;) { n = 1; }", "[(); ..]", "[(); ..]"),
        (
            "switch (n) { case 3: if (is_null(t)) n = 1; break; default: n = 2; } if (n && is_null(t)) return 1; return 0;",
            "{3}|{default}(T|F) T|F",
            "{3}(T) T",
        ),
        ("if (n) return 1; if (is_null(t)) return 2; return 3;", "T|F T|F", "T"),
    ] {
        let program = load(&format!("{TREES}int f(tree t, int n) {{ {body} }}"));
        let function = only_function(&program);
        let found = skeleton(&program.functions[function], &program.sources);
        assert_eq!((found.notation.as_str(), found.example.as_str()), (notation, example), "{body}");
        let config =
            Config { limits: Limits { solutions: Some(1), depth: Some(5), ..Limits::default() }, ground: false };
        let solved = solve(&program, function, &found.example, &rules(RULES), &config, &|| false);
        assert!(solved.is_ok(), "{body}: {solved:?}");
    }
}

/// A sort that the rules do not tell must be declared, and the message says how.
#[test]
fn untold_sorts_are_to_be_declared() {
    let c = "typedef struct nat *nat; int is_zero(nat); nat same(nat); int f(nat n) { if (is_zero(same(n))) return 1; return 0; }";
    let rules = "sort nat = zero | s(nat)\nis_zero(zero) -> true\nis_zero(s(_)) -> false\nsame(X) -> X\n";
    let error = try_solve(c, rules, "T", Limits::default()).expect_err("the sorts of `same` should be asked for");
    assert!(error.help.as_ref().is_some_and(|help| help.contains("op same :")), "{error:?}");
    check(c, &format!("{rules}op same : nat -> nat\n"), "T", REACHED, &["n = zero"]);
}
