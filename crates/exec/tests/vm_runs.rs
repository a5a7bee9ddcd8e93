//! How runs end, and what they leave behind besides output.

use diagnostics::Rule;
use exec::vm::{Image, Machine, Options, Run};
use exec::{Budget, Ending, Input, Limit, Recorder, Scalar};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn program(text: &str) -> ir::Program {
    match cfront::load_text(&[("test.c", text)]) {
        Ok(loaded) => loaded.program,
        Err(cfront::Failure::Program { findings, .. }) => panic!("the program should be accepted: {findings:?}"),
        Err(cfront::Failure::Environment(error)) => panic!("{error:?}"),
    }
}

fn run_with(text: &str, entry: &str, input: &Input, budget: &Budget, coverage: bool) -> Run {
    let program = program(text);
    let image = Image::new(&program, exec::libc::LIBRARY);
    let recorder = Some(Recorder::new(image.points().clone()));
    let entry = program.find_function(entry).expect("the entry should exist");
    Machine::new(&image).run(entry, input, budget, Options { coverage, recorder, ..Options::default() })
}

fn ending(text: &str) -> Ending {
    run_with(text, "main", &Input::default(), &Budget::default(), false).outcome.ending
}

fn rule(text: &str) -> Rule {
    match ending(text) {
        Ending::Faulted(finding) => finding.rule,
        other => panic!("the run should end in a finding: {other:?}"),
    }
}

#[test]
fn every_budget_has_an_end() {
    let limit =
        |text: &str, budget: Budget| match run_with(text, "main", &Input::default(), &budget, false).outcome.ending {
            Ending::OutOfBudget { limit, span } => {
                assert!(!span.is_none(), "the place where the budget ran out should be known");
                limit
            }
            other => panic!("the budget should run out: {other:?}"),
        };
    let endless = "int main(void) { for (;;) ; }";
    let budget = Budget::default();
    assert_eq!(limit(endless, Budget { steps: 10_000, ..budget }), Limit::Steps);
    assert_eq!(limit(endless, Budget { steps: u64::MAX, time_ms: 20, ..budget }), Limit::Time);
    let recursion = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";
    assert_eq!(limit(recursion, Budget { depth: 1000, ..budget }), Limit::Depth);
    assert_eq!(limit(recursion, budget), Limit::Depth);
    let hungry = "void *malloc(unsigned long); int main(void) { while (malloc(1000000)) ; return 0; }";
    assert_eq!(limit(hungry, Budget { memory: 1 << 26, ..budget }), Limit::Memory);
    let crumbs = "void *malloc(unsigned long); int main(void) { for (;;) malloc(1); }";
    assert_eq!(limit(crumbs, Budget { memory: 1 << 20, ..budget }), Limit::Memory);
    let arrays = "int f(int n) { int a[100000]; a[n] = n; return f(n + 1) + a[n]; } int main(void) { return f(0); }";
    assert_eq!(limit(arrays, Budget { memory: 1 << 26, ..budget }), Limit::Memory);
}

#[test]
fn a_run_stops_when_asked() {
    let program = program("int main(void) { for (;;) ; }");
    let image = Image::new(&program, exec::libc::LIBRARY);
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let entry = program.find_function("main").unwrap();
    let options = Options { cancel, ..Options::default() };
    let run = Machine::new(&image).run(entry, &Input::default(), &Budget::default(), options);
    assert_eq!(run.outcome.ending, Ending::Interrupted);
}

#[test]
fn a_machine_starts_afresh_every_time() {
    let program = program("int n; static int a[3] = {1, 2, 3}; int main(void) { a[1] += n++; return a[1] + n; }");
    let image = Image::new(&program, exec::libc::LIBRARY);
    let entry = program.find_function("main").unwrap();
    let mut machine = Machine::new(&image);
    for _ in 0..3 {
        let run = machine.run(entry, &Input::default(), &Budget::default(), Options::default());
        assert_eq!(run.outcome.ending, Ending::Exited(3));
    }
}

#[test]
fn entries_take_parameters_and_give_results() {
    let text = "long f(int a, unsigned char b) { return a * 1000L + b; }
                float g(double x, long double y) { return (float)(x + y); }
                void h(void) {}
                int none(int x) { if (x) return 1; }";
    let returned = |entry: &str, params: Vec<Scalar>| {
        let input = Input { params, ..Input::default() };
        match run_with(text, entry, &input, &Budget::default(), false).outcome.ending {
            Ending::Returned(value) => value,
            other => panic!("{entry} should return: {other:?}"),
        }
    };
    assert_eq!(returned("f", vec![Scalar::Int(-7), Scalar::Int(257)]), Some(Scalar::Int(-6999)));
    assert_eq!(returned("g", vec![Scalar::Float(0.25), Scalar::Float(0.5)]), Some(Scalar::Float(0.75)));
    assert_eq!(returned("h", vec![]), None);
}

#[test]
fn coverage_tells_the_ways_taken() {
    let text =
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 100) s = 1; else s += i; } return s; }";
    let input = Input { params: vec![Scalar::Int(3)], ..Input::default() };
    let covered = |on| run_with(text, "f", &input, &Budget::default(), on).coverage;
    assert_eq!(covered(false), None);
    let mut coverage = covered(true).unwrap();
    let program = program(text);
    let (id, function, body) = program.defined_functions().next().unwrap();
    let mut seen = Vec::new();
    body.walk(&mut |stmt| {
        if matches!(stmt.kind, ir::StmtKind::If { .. } | ir::StmtKind::Loop(_)) {
            seen.push((coverage.went(id, stmt.id, true), coverage.went(id, stmt.id, false)));
        }
    });
    assert_eq!(seen, [(true, true), (false, true)]);
    assert!(coverage.statements() < function.stmt_count, "one branch is never taken");
    let more = Input { params: vec![Scalar::Int(101)], ..Input::default() };
    let other = run_with(text, "f", &more, &Budget::default(), true).coverage.unwrap();
    assert!(coverage.merge(&other), "the other run takes the branch");
    assert!(!coverage.merge(&other), "and brings nothing new a second time");
    assert_eq!(coverage.outcomes(), 4);
}

#[test]
fn trace_points_record_rows() {
    let text = "void vtrace1(int x, long y);
                int main(void) { for (int i = 0; i < 3; i++) { long sq = (long)i * i; vtrace1(i, sq); } return 0; }";
    let run = run_with(text, "main", &Input::default(), &Budget::default(), false);
    assert_eq!(run.outcome.ending, Ending::Exited(0));
    let trace = run.trace.unwrap();
    let (_, point) = trace.points().next().expect("the point should be declared");
    let rows: Vec<Vec<Scalar>> = point.rows().map(|row| row.values().collect()).collect();
    let expected: Vec<Vec<Scalar>> = (0..3).map(|i| vec![Scalar::Int(i), Scalar::Int(i * i)]).collect();
    assert_eq!(rows, expected);
}

#[test]
fn unknown_inputs_are_answered_in_order() {
    let text = "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
                void __VERIFIER_assume(int);
                int main(void) { int a = __VERIFIER_nondet_int(); int b = __VERIFIER_nondet_uchar();
                                 __VERIFIER_assume(a != 5); return a * 10 + b; }";
    let run = |nondet: Vec<Scalar>| {
        let input = Input { nondet, ..Input::default() };
        run_with(text, "main", &input, &Budget::default(), false).outcome.ending
    };
    assert_eq!(run(vec![Scalar::Int(4), Scalar::Int(258)]), Ending::Exited(42));
    assert_eq!(run(vec![]), Ending::Exited(0));
    assert!(matches!(run(vec![Scalar::Int(5)]), Ending::Assumed { .. }));
}

#[test]
fn what_has_no_model_is_said() {
    let text = "int mystery(int); int main(void) { return mystery(3); }";
    let Ending::Unsupported { what, .. } = ending(text) else { panic!("there is no model") };
    assert_eq!(what, "call to `mystery`, which has no definition and no model");
    let text = "extern int mystery; int main(void) { return mystery; }";
    assert!(matches!(ending(text), Ending::Unsupported { .. }));
}

#[test]
fn locals_without_a_value_are_noticed_on_the_way_that_matters() {
    assert_eq!(rule("int main(void) { int x; return x; }"), Rule::UninitialisedRead);
    assert_eq!(rule("int main(int c, char **v) { int x; if (c > 1) x = 1; return x; }"), Rule::UninitialisedRead);
    let set = "int main(int c, char **v) { int x; if (c > 0) x = 1; return x; }";
    assert_eq!(ending(set), Ending::Exited(1));
    let again =
        "int main(void) { int s = 0; for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; s += x; } return s; }";
    assert_eq!(rule(again), Rule::UninitialisedRead);
    let looped = "int main(void) { int x, i = 0; do { if (i == 0) x = 7; i++; } while (i < 3); return x; }";
    assert_eq!(ending(looped), Ending::Exited(7));
    let jumped = "int main(void) { goto in; { int x; in: x = 4; return x; } }";
    assert_eq!(ending(jumped), Ending::Exited(4));
}

#[test]
fn copies_made_by_hand_may_contain_padding() {
    let text = "struct s { char c; int i; };
                void *malloc(unsigned long);
                int main(void) {
                    struct s *a = malloc(sizeof *a), b; a->c = 1; a->i = 41;
                    unsigned char *to = (unsigned char *)&b, *from = (unsigned char *)a;
                    for (unsigned long n = 0; n < sizeof b; n++) *to++ = *from++;
                    return b.c + b.i;
                }";
    assert_eq!(ending(text), Ending::Exited(42));
    let used = "void *malloc(unsigned long);
                int main(void) { char *p = malloc(4); if (p[1] == 'x') return 1; return 0; }";
    assert_eq!(rule(used), Rule::UninitialisedRead);
}

#[test]
fn findings_show_the_calls_that_led_there() {
    let text = "int g(int *p) { return *p; }\nint f(int *p) { return g(p); }\nint main(void) { return f(0); }";
    let Ending::Faulted(finding) = ending(text) else { panic!("null is dereferenced") };
    assert_eq!(finding.rule, Rule::NullDereference);
    let notes: Vec<&str> = finding.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes, ["in a call of `g` made here", "in a call of `f` made here"]);
}

#[test]
fn deep_expressions_are_compiled() {
    // The front end takes no more than a thousand.
    let depth = 900;
    let text = format!("int main(void) {{ int x = 1; return {}x{}; }}", "(x - ".repeat(depth), ")".repeat(depth));
    assert_eq!(ending(&text), Ending::Exited(1));
}
