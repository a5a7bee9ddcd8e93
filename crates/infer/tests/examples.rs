//! The programs of `examples/infer`: what their comments state follows from what is found, and every relation found is
//! true in C as well, and can be written back into the program.

use exec::{Budget, Ending, Input};
use infer::{Config, InferReport, emit, falsify, infer, observe, shown};
use ir::{FunctionId, Program};
use logic::Predicate;
use replay::{Conditions, Recipe, Source, compile};
use smt::{Outcome, Solver, SortId, TermPool};
use std::fmt::Write as _;
use std::path::Path;

/// Each program with what its comment states about `vtrace1`.
const STATED: [(&str, &[&str]); 8] = [
    ("cohen", &["b == y*a", "x == q*y + r", "r >= 2*y*a"]),
    ("ex1", &["11 >= y >= 5", "0 >= x - y", "max(0, x - 5) >= y - 5"]),
    ("ex2", &["1 >= b >= 0", "max(y - 10, 0) >= b", "b + 10 >= min(y, 11)"]),
    ("flatten", &["0 <= k <= M*N - 1"]),
    ("oddeven3", &["y0 == min(x0, x1, x2)", "y2 == max(x0, x1, x2)"]),
    ("partial-decrement", &["i == min(n, p, q, r)"]),
    ("sqrt", &["t == 2*a + 1", "4*s == t^2 + 2*t + 1", "s == (a + 1)^2"]),
    ("strncpy", &["min(d, n + 1) == min(s, n + 1)"]),
];

fn load(name: &str) -> (Program, FunctionId) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infer").join(name).with_extension("c");
    let program =
        cfront::load(&[path], &Default::default()).unwrap_or_else(|_| panic!("{name} should be read")).program;
    let entry = program.find_function("mainQ").unwrap();
    (program, entry)
}

fn found(program: &Program, entry: FunctionId) -> InferReport {
    infer(program, entry, &Config::default()).unwrap_or_else(|why| panic!("{why}"))
}

/// Whether the statement follows from the relations, over the integers.
fn follows(relations: &[&Predicate], stated: &Predicate) -> bool {
    if let Predicate::And(parts) = stated {
        return parts.iter().all(|part| follows(relations, part));
    }
    if relations.iter().any(|relation| relation.normalise() == stated.normalise()) {
        return true;
    }
    let pool = TermPool::new();
    let mut solver = Solver::new(&pool);
    let lookup = |name: &str| Some(pool.var(name, SortId::INT));
    // Few relations decide quickly; those that share no variable cannot help.
    for relation in relations.iter().filter(|r| r.variables().iter().any(|v| stated.variables().contains(v))) {
        if let Ok(term) = relation.to_smt(&pool, &lookup) {
            solver.assert(term);
        }
    }
    solver.assert(pool.not(stated.to_smt(&pool, &lookup).unwrap()));
    matches!(solver.check(), Outcome::Unsat { .. })
}

#[test]
fn what_the_comments_state_is_found() {
    let mut missing = Vec::new();
    for (name, stated) in STATED {
        let (program, entry) = load(name);
        // What a proof may still confirm: without one, bounds that need a reason are not shown.
        let config = Config::default();
        let mut observations = observe(&program, entry, &config).unwrap_or_else(|why| panic!("{why}"));
        let candidates = falsify::falsify(&mut observations, &config);
        let relations: Vec<&Predicate> = candidates[0].invariants.iter().map(|i| &i.predicate).collect();
        for text in stated {
            if !follows(&relations, &Predicate::parse(text).unwrap()) {
                missing.push(format!("{name}: {text} does not follow from {relations:?}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// A C file with one function for each relation, and calls of it on rows that were seen.
#[test]
fn relations_hold_in_c() {
    let (mut code, mut calls, mut count) = (String::new(), String::new(), 0);
    for (name, _) in STATED {
        let (program, entry) = load(name);
        let evidence = observe(&program, entry, &Config::default()).unwrap().evidence();
        for (location, (evidence, _)) in found(&program, entry).locations.iter().zip(&evidence) {
            let variables = &location.location.variables;
            // A ghost power is written as a shift of its counter, so it is no parameter.
            let named: Vec<usize> = (0..variables.len()).filter(|&v| !variables[v].name.contains('^')).collect();
            let parameters: Vec<String> = named.iter().map(|&v| format!("long {}", variables[v].name)).collect();
            for invariant in &location.invariants {
                let c = shown::c(&invariant.predicate, variables).unwrap_or_else(|e| panic!("{e}"));
                let parameters = parameters.join(", ");
                let _ = writeln!(
                    code,
                    "/* {name}: {} */\nstatic int p{count}({parameters}) {{ return {c}; }}",
                    invariant.predicate
                );
                let rows: Vec<&[i64]> = evidence.rows().collect();
                for row in rows.iter().step_by(1 + rows.len() / 20) {
                    let values: Vec<String> = named.iter().map(|&v| format!("{}L", row[v])).collect();
                    let _ = writeln!(calls, "if (!p{count}({})) return {};", values.join(", "), 1 + count % 250);
                }
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count} relations should be enough to mean something");
    let code = format!("{code}int main(void) {{\n{calls}return 0; }}\n");
    let binary = compile(&Recipe::new([Source::text("relations.c", code)]), None).unwrap_or_else(|e| panic!("{e}"));
    let run = binary.run(&Input::default(), &Budget::default(), &Conditions::default()).unwrap();
    assert_eq!(run.outcome.ending, Ending::Exited(0));
}

/// The program with assertions, run on inputs that the search would try as well.
#[test]
fn programs_with_assertions_still_run() {
    for (name, inputs) in
        [("cohen", ["47, 3", "1, 1", "300, 7"]), ("sqrt", ["0", "99", "1000"]), ("ex1", ["-5", "5", "100"])]
    {
        let (program, entry) = load(name);
        let emitted = emit::c_assert(&program, &found(&program, entry));
        let text = emitted.files.values().next().unwrap_or_else(|| panic!("{name} should get assertions"));
        assert!(text.matches("assert(").count() > 2, "{text}");
        let calls: String = inputs.iter().map(|input| format!("mainQ({input});\n")).collect();
        let parameters = text.lines().find_map(|l| l.strip_prefix("void vtrace1(")).unwrap().trim_end_matches(");");
        let driver = format!(
            "{text}\nvoid vassume(int c) {{ (void)c; }}\nvoid vtrace1({parameters}) {{ }}\nint main(void) {{\n{calls}return 0; }}\n"
        );
        let binary =
            compile(&Recipe::new([Source::text("driver.c", driver)]), None).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let run = binary.run(&Input::default(), &Budget::default(), &Conditions::default()).unwrap();
        assert_eq!(run.outcome.ending, Ending::Exited(0), "{name}:\n{text}");
    }
}
