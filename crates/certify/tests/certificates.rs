//! Certificates that hold are checked, and certificates that were tampered with are not: invariants weakened, changed or
//! left out, claims that are false, claims of operations that may be undefined.

use certify::{Claim, Conditions, Reading, Statement, certify};
use diagnostics::Deadline;
use ir::{Program, StmtKind};

const DECLARATIONS: &str = "void __VERIFIER_assert(int); void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void); \
                            void exit(int) __attribute__((noreturn)); int strange(void);\n";

fn load(text: &str) -> Program {
    let loaded = cfront::load_text(&[("case.c", &format!("{DECLARATIONS}{text}"))]);
    loaded.unwrap_or_else(|problems| panic!("{problems:?}\n{text}")).program
}

/// The assertions of a program, as certificates name them.
fn assertions(program: &Program) -> Vec<Claim> {
    let mut found = Vec::new();
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Assert { text, .. } = &stmt.kind {
                let line = program.sources.used(stmt.span).map_or(0, |region| region.start.line);
                found.push(Claim { text: text.clone(), line, steps: 1 });
            }
        });
    }
    found
}

fn read(text: &str, invariants: &[(&str, &str)], more: &[(&str, u32)]) -> Reading {
    let program = load(text);
    let mut claims = assertions(&program);
    claims.extend(more.iter().map(|(text, line)| Claim { text: text.to_string(), line: *line, steps: 1 }));
    let invariants = invariants.iter().map(|(at, text)| (at.to_string(), text.to_string())).collect();
    let entry = program.find_function("main").expect("a program should have a main");
    let statement = Statement { invariants, claims };
    certify(&program, entry, &statement, Conditions { initial_globals: true }, &Deadline::default())
}

fn all(invariants: usize, count: usize) -> Reading {
    Reading::Checked { invariants, claims: (0..count).collect(), others: Vec::new() }
}

fn is_rejected(reading: &Reading) -> bool {
    matches!(reading, Reading::Rejected(_))
}

/// The loop is at line 4 of the text, behind the declarations.
const SUM: &str = "int main(void) {
    int x = 0, y = 0, n = __VERIFIER_nondet_int();
    while (x < n) {
        x = x + 1;
        y = y + 2;
    }
    __VERIFIER_assert(y == 2 * x);
    return 0;
}";

#[test]
fn a_loop_and_its_invariant() {
    assert_eq!(read(SUM, &[("loop at line 4", "y == 2*x")], &[]), all(1, 1));
    // Without it the assertion does not follow, and with something weaker neither.
    assert!(is_rejected(&read(SUM, &[], &[])));
    assert!(is_rejected(&read(SUM, &[("loop at line 4", "y >= 2*x")], &[])));
    // Not inductive, or not true at first.
    assert!(is_rejected(&read(SUM, &[("loop at line 4", "y == 3*x")], &[])));
    assert!(is_rejected(&read(SUM, &[("loop at line 4", "y == 2*x"), ("loop at line 4", "x <= 5")], &[])));
    assert!(is_rejected(&read(SUM, &[("loop at line 4", "y == 2*x + 1")], &[])));
    // Not a place, not a variable.
    let also = |at, text| read(SUM, &[("loop at line 4", "y == 2*x"), (at, text)], &[]);
    assert_eq!(also("loop at line 9", "x >= 0"), all(1, 1));
    assert!(matches!(read(SUM, &[("loop at line 9", "y == 2*x")], &[]), Reading::NotRead(_)));
    assert!(matches!(also("loop at line 4", "z == 2*x"), Reading::NotRead(_)));
}

#[test]
fn invariants_that_need_each_other() {
    let program = "int main(void) {
    int a = 1, b = 1, i = 0;
    while (i < 100) {
        int c = a;
        a = b;
        b = c;
        i++;
    }
    __VERIFIER_assert(a == 1 && i == 100);
    return 0;
}";
    let invariants = [("loop at line 4", "a == 1"), ("loop at line 4", "b == 1"), ("loop at line 4", "i <= 100")];
    assert_eq!(read(program, &invariants, &[]), all(3, 1));
    for left_out in 0..invariants.len() {
        let mut fewer = invariants.to_vec();
        fewer.remove(left_out);
        assert!(is_rejected(&read(program, &fewer, &[])), "without {:?}", invariants[left_out]);
    }
}

#[test]
fn undefined_cases_are_derived_anew() {
    let division = "int main(void) {\n    int x = 0;\n    return 10 / x;\n}";
    assert!(is_rejected(&read(division, &[], &[("no division by zero", 4)])));
    let fine = "int main(void) {\n    int x = 4;\n    return 10 / x;\n}";
    assert_eq!(read(fine, &[], &[("no division by zero", 4), ("no signed overflow", 4)]), all(0, 2));
    let lazy = "int main(void) {\n    int x = __VERIFIER_nondet_int();\n    return x && 10 / x > 2 ? 1 : 0;\n}";
    assert_eq!(read(lazy, &[], &[("no division by zero", 4)]), all(0, 1));
    let eager = "int main(void) {\n    int x = __VERIFIER_nondet_int();\n    return x || 10 / x > 2;\n}";
    assert!(is_rejected(&read(eager, &[], &[("no division by zero", 4)])));
    let overflow = "int main(void) {\n    int x = __VERIFIER_nondet_int();\n    int y = x + 1;\n    return y > 0;\n}";
    assert!(is_rejected(&read(overflow, &[], &[("no signed overflow", 4)])));
    let bounded = "int main(void) {\n    int x = __VERIFIER_nondet_int();\n    if (x > 9) exit(1);\n    int y = x + 1;\n    return y > 0;\n}";
    assert_eq!(read(bounded, &[], &[("no signed overflow", 5)]), all(0, 1));
    let wraps = "int main(void) {\n    unsigned x = (unsigned)__VERIFIER_nondet_int();\n    __VERIFIER_assert(x + 1 > x);\n    return 0;\n}";
    assert!(is_rejected(&read(wraps, &[], &[])));
    let shift = "int main(void) {\n    int x = 3;\n    return x << 31;\n}";
    assert!(is_rejected(&read(shift, &[], &[("shift within the width of its operand", 4)])));
    // A claim that stands nowhere is not checked.
    let nowhere = read(fine, &[], &[("no division by zero", 3)]);
    assert!(matches!(nowhere, Reading::Checked { claims, others, .. } if claims.is_empty() && others.len() == 1));
}

#[test]
fn calls_globals_and_switches() {
    let program = "static int g = 3; static const int two = 2;
static int twice(int x) { return two * x; }
static void bump(void) { g = g + 1; }
int main(void) {
    int i = 0, s = __VERIFIER_nondet_int();
    while (i < 3) { bump(); i++; }
    switch (s) { case 1: s = 7; break; case 2 ... 4: s = 8; break; default: s = 9; }
    __VERIFIER_assert(twice(g) == 12 && s >= 7);
    return 0;
}";
    let invariants = [("loop at line 7", "g == 3 + i"), ("loop at line 7", "i <= 3")];
    assert_eq!(read(program, &invariants, &[]), all(2, 1));
    assert!(is_rejected(&read(program, &invariants[1..], &[])));
    assert!(is_rejected(&read(program, &[("loop at line 7", "g == 4 + i"), invariants[1]], &[])));
}

#[test]
fn what_is_outside_is_named() {
    for (text, construct) in [
        ("int main(void) { int a[2] = { 0 }; a[1] = 3; return a[0]; }", "array"),
        ("int main(void) { int x = 1; int *p = &x; return *p; }", "pointer"),
        ("int main(void) { double d = 1.0; return d > 0; }", "floating"),
        ("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }", "calls itself"),
        ("int main(void) { return strange(); }", "no body"),
        ("int main(void) { int x = 3; return x ^ 5; }", "bits"),
    ] {
        let Reading::NotRead(what) = read(text, &[], &[]) else { panic!("{text}") };
        assert!(what.contains(construct), "{text}: {what}");
    }
}

/// Programs over two small variables, with every invariant of a small family, are decided by running them.
#[test]
fn nothing_false_is_checked() {
    let (mut checked, mut rejected) = (0, 0);
    for step in ["x = x + 1; y = y + x;", "x = x + 2; y = y - 1;", "if (x > y) y = y + 3; else x = x + 1;"] {
        for claim in ["x <= 9", "x != 4", "x + y <= 40", "y >= 0", "y <= x", "x >= 0"] {
            for invariants in [&["x >= 0"][..], &["x <= 8"], &["y <= 0"], &["x >= 0", "x <= 8"], &[claim]] {
                let text = format!(
                    "int main(void) {{\n    int x = 0, y = 0;\n    while (x < 7) {{ {step} }}\n    \
                     __VERIFIER_assert({claim});\n    return 0;\n}}"
                );
                let placed: Vec<(&str, &str)> = invariants.iter().map(|text| ("loop at line 4", *text)).collect();
                match read(&text, &placed, &[]) {
                    Reading::Checked { claims, .. } if claims.len() == 1 => {
                        checked += 1;
                        assert!(holds(step, claim), "{claim} after {step} with {invariants:?}");
                    }
                    Reading::Rejected(_) => rejected += 1,
                    other => panic!("{text}: {other:?}"),
                }
            }
        }
    }
    assert!(checked > 5 && rejected > 30, "{checked} checked, {rejected} rejected");
}

/// The same program by hand.
fn holds(step: &str, claim: &str) -> bool {
    let (mut x, mut y) = (0i64, 0i64);
    while x < 7 {
        match step.chars().nth(8) {
            Some('1') => (x, y) = (x + 1, y + x + 1),
            Some('2') => (x, y) = (x + 2, y - 1),
            _ if x > y => y += 3,
            _ => x += 1,
        }
    }
    match claim {
        "x <= 9" => x <= 9,
        "x != 4" => x != 4,
        "x + y <= 40" => x + y <= 40,
        "y >= 0" => y >= 0,
        "y <= x" => y <= x,
        _ => x >= 0,
    }
}
