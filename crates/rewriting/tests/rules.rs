//! What is read, and what is said about what cannot be: each text with its problems as `line:column: message`.

use rewriting::{Reading, Severity, read_rules, read_trs};

fn listed(reading: &Reading) -> Vec<String> {
    let mark = |severity| if severity == Severity::Warning { "warning: " } else { "" };
    reading.problems.iter().map(|p| format!("{}:{}: {}{}", p.line, p.column, mark(p.severity), p.message)).collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(listed(&read_rules(text)), expected, "in\n{text}");
}

const LISTS: &str = "sort list = nil | cons(int, list)\n";

#[test]
fn good_rules_have_no_problems() {
    check(
        "# trees\nsort elem\nsort tree = null | tree(elem, tree, tree) // of any elements\n\
         op left : tree -> tree\nleft(tree(_, L, _)) -> L\n/* two\nlines */ is_null(null) -> true\n\
         is_null(tree(_, _, _)) -> false;\nsize(null) -> 0\nsize(tree(_, L, R)) -> 1 + size(L)\n   + size(R)",
        &[],
    );
    check("sort bool = true | false\nand(true, X) -> X\nand(false, _) -> false\nboth(X, Y) -> and(X, Y)", &[]);
    check(&format!("{LISTS}has(_, nil) -> false\nhas(X, cons(Y, L)) -> X == Y || has(X, L)"), &[]);
}

#[test]
fn mistakes_have_a_place() {
    check("left(tree(_, L, _)) -> L", &["1:6: `tree` is not a constructor"]);
    check(
        &format!("{LISTS}same(X, X) -> true"),
        &["2:9: the variable `X` occurs twice on the left: the rule is not left-linear"],
    );
    check(
        &format!("{LISTS}f(nil) -> 0\ng(f(X)) -> X"),
        &["3:3: the operation `f` stands among the arguments on the left"],
    );
    check(
        &format!("{LISTS}f(X + 1) -> X"),
        &["2:5: an operator stands among the arguments on the left: these are constructors and variables only"],
    );
    check(&format!("{LISTS}cons(X, L) -> L"), &["2:1: `cons` is a constructor and cannot have rules"]);
    check(&format!("{LISTS}f(nil) -> X"), &["2:11: the variable `X` does not occur on the left"]);
    check(&format!("{LISTS}f(nil) -> _"), &["2:11: `_` has no value on the right-hand side"]);
    check(&format!("{LISTS}f(nil) -> g(nil)"), &["2:11: `g` is neither a constructor nor has it rules"]);
    check(
        &format!("{LISTS}f(nil, nil) -> 0\nf(nil) -> 0"),
        &["3:1: `f` has 2 arguments elsewhere and 1 argument here"],
    );
    check(&format!("{LISTS}f(cons(X)) -> 0"), &["2:3: `cons` has 2 arguments elsewhere and 1 argument here"]);
    check("sort t = a | a", &["1:14: `a` is a constructor of `t` already"]);
    check("sort t = a\nsort t = b", &["2:6: the sort `t` is declared twice"]);
    check("sort bool = yes | no", &["1:6: the sort `bool` is built in and has other constructors"]);
    check("X -> X", &["1:1: the left-hand side of a rule should be an operation with its arguments"]);
}

#[test]
fn sorts_are_checked() {
    check(
        &format!("{LISTS}f(nil) -> 0\ng(X) -> f(X + 1)"),
        &["3:13: argument 1 of `f` should be of sort `list` and is of sort `int`"],
    );
    check(
        &format!("{LISTS}f(nil) -> 0\nf(cons(_, _)) -> true"),
        &["3:18: the result of `f` should be of sort `int` and is of sort `bool`"],
    );
    check(
        &format!("{LISTS}op f : int -> int\nf(nil) -> 0"),
        &["3:3: argument 1 of `f` should be of sort `int` and is of sort `list`"],
    );
    check(
        "sort tree = null | node(tre, tree)",
        &["1:25: warning: the sort `tre` is not declared: it is taken as one without constructors"],
    );
}

#[test]
fn the_grammar_is_checked_and_reading_goes_on() {
    check(
        "sort = a\nf(",
        &["1:6: `->` is expected here, not `=`", "2:3: a term is expected here, not the end of the text"],
    );
    check(
        "sort t = a\nf(a) = a\ng(a) -> b",
        &["2:6: `->` is expected here, not `=`", "3:9: `b` is neither a constructor nor has it rules"],
    );
    check("sort t = a\nf(a) -> a a", &["2:11: the end of the line is expected here, not `a`"]);
    check("sort t = a @ b", &["1:12: `@` does not belong here", "1:14: the end of the line is expected here, not `b`"]);
    check("sort t = a\nF(a) -> a", &["2:1: `F` is a variable and cannot have arguments"]);
    check("/* open", &["1:1: a comment is not closed"]);
    let deep = format!("sort t = a\nf(a) -> {}a", "!".repeat(10_000));
    assert_eq!(listed(&read_rules(&deep)), ["2:509: terms nested more than 500 deep are not read"]);
}

#[test]
fn doubtful_rules_are_warned_about() {
    check(
        &format!("{LISTS}f(nil) -> 0\nf(_) -> 1"),
        &["3:1: warning: this rule of `f` overlaps with that of line 2, and the results differ for `f(nil)`"],
    );
    // These overlap and agree.
    check("por(true, _) -> true\npor(_, true) -> true\npor(false, false) -> false", &[]);
    check(
        "f(N) -> f(N - 1)",
        &["1:1: warning: `f` may not end: no argument gets smaller when it comes back to itself"],
    );
    // Ackermann's function ends by the size-change principle.
    check("sort nat = z | s(nat)\na(z, N) -> s(N)\na(s(M), z) -> a(M, s(z))\na(s(M), s(N)) -> a(M, a(s(M), N))", &[]);
    check(
        "sort nat = z | s(nat)\nev(z) -> true\nev(s(N)) -> od(s(N))\nod(N) -> ev(N)",
        &[
            "3:1: warning: `ev` may not end: no argument gets smaller when it comes back to itself",
            "4:1: warning: `od` may not end: no argument gets smaller when it comes back to itself",
        ],
    );
    check("sort stream = more(int, stream)", &["1:15: warning: the sort `stream` has no finite values"]);
}

#[test]
fn trs_files_are_read() {
    let good =
        "(VAR x y)\n(RULES\n  add(0, y) -> y\n  add(s(x), y)->s(add(x, y))\n  even(0) -> true\n)\n(COMMENT (any) text)";
    let reading = read_trs(good);
    assert_eq!(listed(&reading), [""; 0]);
    let add = reading.system.signature.find_symbol("add").unwrap();
    assert_eq!(reading.system.rules_of(add).count(), 2);
    let even = reading.system.signature.find_symbol("even").unwrap();
    assert_eq!(reading.system.signature.symbol(even).result, rewriting::SortId::BOOL);
    for (text, expected) in [
        ("(VAR x)(RULES f(x,x) -> x)", "1:19: the variable `x` occurs twice on the left: the rule is not left-linear"),
        ("(RULES f(a) ->= a)", "1:13: relative rules (`->=`) are not read"),
        ("(RULES f(a) -> a | a -> a)", "1:18: conditional rules are not read"),
        ("(THEORY (AC f))", "1:2: rules modulo a theory (`THEORY`) are not read"),
        ("f(a) -> a", "1:1: a section such as `(RULES ...)` is expected here"),
        ("(RULES f(f(a)) -> a)", "1:10: the operation `f` stands among the arguments on the left"),
    ] {
        assert_eq!(listed(&read_trs(text)), [expected], "in {text}");
    }
}
