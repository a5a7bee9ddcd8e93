//! What is written back still is the program, and says what was found.

use super::*;
use crate::{Form, InferReport, Location, LocationKind};
use cfront::preprocess::Options;
use diagnostics::Verdict;
use exec::ValueType;
use exec::{Budget, Ending, Input};
use logic::Predicate;
use replay::{Conditions, Recipe, Source, compile};

/// All the shapes a location can have. Line numbers matter to the tests.
const PROGRAM: &str = "\
void vassume(int c);
void vtrace1(int x, int s);
int g;
int mainQ(int x, unsigned k) {
    vassume(x >= 0 && x < 20);
    int s = 0;
    while (x > 0) { /* x (falls; */
        s += x;
        x--;
    }
    for (int i = 0; ; i++) {
        if (i == 3) break;
        g = g + i;
    }
    do s++; while (s < 0);
    do { s--; } while (s > 1000);
    while (1) {
        vtrace1(x, s);
        if (s >= 0) break;
    }
    if (g > 99)
        return 1;
    if (g > 98) return 2; else s = s + 1;
out:
    g = 0;
    return s;
}
";

fn load(text: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shapes.c");
    std::fs::write(&path, text).unwrap();
    cfront::load(&[path], &Options::default()).unwrap_or_else(|_| panic!("the program should be read")).program
}

/// The span of the statement on a line that a predicate picks.
fn span(program: &Program, line: u32, pick: fn(&StmtKind) -> bool) -> Span {
    let mut found = None;
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            let at = program.sources.used(stmt.span).map(|region| region.start.line);
            if at == Some(line) && pick(&stmt.kind) && found.is_none() {
                found = Some(stmt.span);
            }
        });
    }
    found.unwrap_or_else(|| panic!("line {line} should have such a statement"))
}

fn variables() -> Vec<Variable> {
    let typed = |name: &str, kind: IntKind, role: Role| Variable {
        ty: Some(ValueType::Int(kind)),
        role,
        ..Variable::int(name)
    };
    let mut all: Vec<Variable> = ["x", "s", "g", "i"].map(|name| typed(name, IntKind::Int, Role::Program)).into();
    all.push(typed("k", IntKind::UInt, Role::Program));
    all.push(typed("x_0", IntKind::Int, Role::Entry));
    all.push(typed("n1", IntKind::Long, Role::Ghost));
    all.push(typed("result", IntKind::Int, Role::Result));
    all
}

use ir::IntKind;

fn kind_of(name: &str) -> LocationKind {
    match name.split(' ').next() {
        Some("loop") => LocationKind::Loop,
        Some("return") => LocationKind::Return,
        Some("end") => LocationKind::End,
        Some("line") => LocationKind::Line,
        Some(word) if word.starts_with("vtrace") => LocationKind::Trace,
        _ => LocationKind::Label,
    }
}

fn location(name: &str, span: Span, claims: &[&str]) -> LocationReport {
    let invariant = |text: &&str| Invariant {
        form: Form::Equality,
        predicate: Predicate::parse(text).unwrap(),
        verdict: Verdict::Observed { visits: 9 },
        has_reason: true,
    };
    LocationReport {
        location: Location {
            name: name.to_string(),
            kind: kind_of(name),
            pointers_valid: false,
            span: Some(span),
            variables: variables(),
            guards: Vec::new(),
        },
        visits: 9,
        samples: 9,
        invariants: claims.iter().map(invariant).collect(),
        arrays: Vec::new(),
        notes: Vec::new(),
        rows: Vec::new(),
    }
}

fn report(program: &Program) -> InferReport {
    let looped: fn(&StmtKind) -> bool = |kind| matches!(kind, StmtKind::Loop(_));
    let returned: fn(&StmtKind) -> bool = |kind| matches!(kind, StmtKind::Return(_));
    let locations = vec![
        location(
            "loop at line 7",
            span(program, 7, looped),
            &["2*s == x_0^2 + x_0 - x^2 - x", "max(x, s) >= 0", "k - x >= -20", "x == x_0 - n1", "s === 0 (mod 1)"],
        ),
        location("loop at line 11", span(program, 11, looped), &["0 <= i <= 3"]),
        location("loop at line 16", span(program, 16, looped), &["s >= 1"]),
        location("vtrace1", span(program, 18, |kind| matches!(kind, StmtKind::Trace(_))), &["x == 0", "1/2*s >= x"]),
        location("return at line 22", span(program, 22, returned), &["g >= 100", "result == 1"]),
        location("return at line 23", span(program, 23, returned), &["g == 99"]),
        location("out", span(program, 24, |kind| matches!(kind, StmtKind::Label(_))), &["g <= 99"]),
        location("return at line 26", span(program, 26, returned), &["g == 0"]),
    ];
    InferReport { locations, ..InferReport::default() }
}

fn only_text(emitted: &Emitted) -> &str {
    assert_eq!(emitted.notes, [""; 0]);
    assert_eq!(emitted.files.len(), 1);
    emitted.files.values().next().unwrap()
}

const ACSL: &str = "\
void vassume(int c);
void vtrace1(int x, int s);
int g;
int mainQ(int x, unsigned k) {
    vassume(x >= 0 && x < 20);
    int s = 0;
    // observed, not in ACSL (it counts rounds): x == x_0 - n1
    /*@ loop invariant 2*s == \\at(x,Pre)*\\at(x,Pre) + \\at(x,Pre) - x*x - x;
      @ loop invariant \\max(x, s) >= 0;
      @ loop invariant k - x >= -20;
      @ loop invariant s % 1 == 0;
      @*/
    while (x > 0) { /* x (falls; */
        s += x;
        x--;
    }
    //@ loop invariant 0 <= i && i <= 3;
    for (int i = 0; ; i++) {
        if (i == 3) break;
        g = g + i;
    }
    do s++; while (s < 0);
    //@ loop invariant s >= 1;
    do { s--; } while (s > 1000);
    /*@ loop invariant x == 0;
      @ loop invariant s >= 2*x;
      @*/
    while (1) {
        vtrace1(x, s);
        if (s >= 0) break;
    }
    if (g > 99)
        { /*@ assert g >= 100; */ return 1; }
    if (g > 98) { /*@ assert g == 99; */ return 2; } else s = s + 1;
out:
//@ assert g <= 99;
    g = 0;
    //@ assert g == 0;
    return s;
}
";

#[test]
fn annotations_stand_where_they_hold() {
    let program = load(PROGRAM);
    let emitted = acsl(&program, &report(&program));
    assert_eq!(only_text(&emitted), ACSL);
}

#[test]
fn assertions_compile_and_hold() {
    let program = load(PROGRAM);
    let emitted = c_assert(&program, &report(&program));
    let text = only_text(&emitted);
    assert!(text.starts_with("#include <assert.h>\n"), "{text}");
    assert!(text.contains("const int x_0 = x;"), "{text}");
    assert!(text.contains("for (int i = 0; assert(0 <= i && i <= 3), 1 ; i++)"), "{text}");
    let runs = |text: &str, x: i32| {
        let driver = format!(
            "{text}\n#include <stdlib.h>\nvoid vassume(int c) {{ if (!c) exit(3); }}\nvoid vtrace1(int x, int s) {{ (void)x; (void)s; }}\n\
             int main(void) {{ return mainQ({x}, 5u) < 0; }}\n"
        );
        let binary =
            compile(&Recipe::new([Source::text("driver.c", driver)]), None).unwrap_or_else(|e| panic!("{e}\n{text}"));
        binary.run(&Input::default(), &Budget::default(), &Conditions::default()).unwrap().outcome.ending
    };
    for x in [0, 1, 19] {
        assert_eq!(runs(text, x), Ending::Exited(0), "{text}");
    }
    // The assertions are really there: a false one stops the run.
    let mut wrong = report(&program);
    wrong.locations.truncate(1);
    wrong.locations[0].invariants.truncate(1);
    wrong.locations[0].invariants[0].predicate = Predicate::parse("s == x_0 - x").unwrap();
    let text = c_assert(&program, &wrong);
    assert_ne!(runs(only_text(&text), 5), Ending::Exited(0));
}

/// A reader of the little YAML that witnesses need: for each line its indentation and its text.
fn lines(text: &str) -> Vec<(usize, &str)> {
    text.lines().map(|line| (line.len() - line.trim_start().len(), line.trim_start())).collect()
}

#[test]
fn a_witness_has_the_structure_of_version_two() {
    let program = load(PROGRAM);
    let (text, notes) = witness(&program, &report(&program), "1.2", Moment(1_709_208_000));
    assert_eq!(notes.len(), 2, "{notes:?}");
    let path = program.sources.files().find(|(_, f)| !f.system).unwrap().1.path.clone();
    let expected = [
        (0, "- entry_type: invariant_set".to_string()),
        (2, "metadata:".to_string()),
        (4, "format_version: \"2.0\"".to_string()),
        (4, "uuid: ".to_string()),
        (4, "creation_time: \"2024-02-29T12:00:00Z\"".to_string()),
        (4, "producer:".to_string()),
        (6, "name: \"Plumbline\"".to_string()),
        (6, "version: \"1.2\"".to_string()),
        (4, "task:".to_string()),
        (6, "input_files:".to_string()),
        (8, format!("- \"{path}\"")),
        (6, "input_file_hashes:".to_string()),
        (8, format!("\"{path}\": \"")),
        (6, "specification: \"G ! call(reach_error())\"".to_string()),
        (6, "data_model: LP64".to_string()),
        (6, "language: C".to_string()),
        (2, "content:".to_string()),
        (4, "- invariant:".to_string()),
        (8, "type: loop_invariant".to_string()),
        (8, "location:".to_string()),
        (10, format!("file_name: \"{path}\"")),
        (10, "line: 7".to_string()),
        (10, "column: 5".to_string()),
        (10, "function: \"mainQ\"".to_string()),
        (8, "value: \"((long long)x >= (long long)s ? ".to_string()),
        (8, "format: c_expression".to_string()),
    ];
    let expected_value = "value: \"(x >= s ? x : s) >= 0\"";
    for ((indent, found), (wanted_indent, wanted)) in lines(&text).into_iter().zip(expected) {
        let wanted = if wanted.starts_with("value:") { expected_value.to_string() } else { wanted };
        assert_eq!(indent, wanted_indent, "{found}\n{text}");
        assert!(found.starts_with(&wanted), "{found} should be {wanted}");
    }
    let invariants = text.matches("- invariant:").count();
    for key in ["type: ", "file_name: ", "line: ", "column: ", "function: ", "value: ", "format: c_expression"] {
        assert_eq!(
            text.matches(&format!("\n{}{key}", " ".repeat(8))).count()
                + text.matches(&format!("\n{}{key}", " ".repeat(10))).count(),
            invariants,
            "{key}"
        );
    }
    assert_eq!(text.matches("type: location_invariant").count(), 3);
    let (again, _) = witness(&program, &report(&program), "1.2", Moment(1_709_208_000));
    assert_eq!(text, again);
    assert_eq!(Moment(0).to_string(), "1970-01-01T00:00:00Z");
    assert_eq!(Moment(1_735_689_599).to_string(), "2024-12-31T23:59:59Z");
}

#[test]
fn text_inside_macros_is_left_alone() {
    let program = load("#define LOOP while (x > 0) x--\nint mainQ(int x) {\n    LOOP;\n    return x;\n}\n");
    let looped = span(&program, 3, |kind| matches!(kind, StmtKind::Loop(_)));
    let report =
        InferReport { locations: vec![location("loop at line 3", looped, &["x >= 0"])], ..InferReport::default() };
    let emitted = c_assert(&program, &report);
    assert!(emitted.files.is_empty() && emitted.notes.len() == 1, "{emitted:?}");
    // An annotation may stand before a macro call that is the whole loop.
    assert!(acsl(&program, &report).files.values().all(|text| text.contains("//@ loop invariant x >= 0;\n    LOOP;")));
}
