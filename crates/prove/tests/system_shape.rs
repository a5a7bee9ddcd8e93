//! The systems of known programs have the shape one expects: cuts, ways, claims, and what is left open.

use prove::{Encoding, PropertyKind, System, encode};
use std::path::PathBuf;
use symex::Ints;

fn of_text(text: &str, encoding: &Encoding) -> System {
    let loaded = cfront::load_text(&[("shape.c", text)]).unwrap_or_else(|e| panic!("{e:?}"));
    let program = loaded.program;
    let entry = program.find_function("mainQ").or_else(|| program.find_function("main")).expect("an entry");
    encode(&program, entry, encoding)
}

fn of_suite(name: &str, encoding: &Encoding) -> System {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suites").join(name);
    let loaded = cfront::load(&[path], &cfront::preprocess::Options::default()).unwrap_or_else(|e| panic!("{e:?}"));
    let entry = loaded.program.find_function("mainQ").expect("suite programs should have a mainQ");
    encode(&loaded.program, entry, encoding)
}

fn shape(system: &System) -> (usize, usize, usize) {
    (system.cuts.len(), system.transitions.len(), system.obligations.len())
}

#[test]
fn loops_that_start_with_a_trace_point_are_one_cut() {
    let system = of_suite("nla/cohendiv.c", &Encoding::default());
    let names: Vec<&str> = system.cuts.iter().map(|cut| cut.name.as_str()).collect();
    assert_eq!(names, ["entry", "vtrace1", "vtrace2"]);
    assert_eq!(shape(&system), (3, 4, 3));
    let inner = &system.cuts[2];
    for name in ["x", "y", "q", "r", "a", "b"] {
        assert!(inner.names.contains_key(name), "{name} should be known");
    }
    assert!(system.obstacles.is_empty());
    assert_eq!(Vec::from_iter(&system.assumptions), [&diagnostics::Assumption::NoOverflow]);
}

#[test]
fn divisions_are_pairs_shared_by_equal_operands() {
    let system = of_suite("nla/prodbin.c", &Encoding::default());
    let round = system.transitions.iter().find(|t| t.from == t.to).expect("a loop should come back");
    assert_eq!(round.path.quotients.len(), 1, "x / 2 and x % 2 have one quotient");
}

#[test]
fn the_suites_are_followed_completely() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suites");
    for suite in ["nla", "disjunctive"] {
        for entry in std::fs::read_dir(root.join(suite)).expect("the suite should be there") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_none_or(|extension| extension != "c") {
                continue;
            }
            let name = format!("{suite}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            for ints in [Ints::Math, Ints::Machine] {
                let system = of_suite(&name, &Encoding { ints, ..Encoding::default() });
                assert!(system.obstacles.is_empty(), "{name}: {:?}", system.obstacles);
                assert!(!system.obligations.is_empty(), "{name} should claim something");
            }
        }
    }
}

#[test]
fn calls_get_frames_of_their_own() {
    let text = "int twice(int v) { int w = v; while (w > v) w--; return 2 * w; }
        int mainQ(int a) { int x = twice(a); int y = twice(x); return y; }";
    let system = of_text(text, &Encoding::default());
    let names: Vec<&str> = system.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert!(names.contains(&"twice.w") && names.contains(&"twice#2.w"), "{names:?}");
    assert_eq!(system.cuts.len(), 3);
}

/// Claims in code that is not followed have an obligation, and it can fail.
#[test]
fn claims_behind_unknown_pointers_stay_open() {
    let text = "void __VERIFIER_assert(int); void vtrace1(int n);
        int down(int n) { vtrace1(n); __VERIFIER_assert(n < 5); return n; }
        int up(int n) { return n + 1; }
        int mainQ(int n) { int (*f)(int) = n > 3 ? down : up; return f(n); }";
    let system = of_text(text, &Encoding::default());
    assert_eq!(system.properties.len(), 1);
    let obligation = &system.obligations[0];
    assert!(obligation.path.fresh.contains(&obligation.claim), "nobody can discharge a fresh truth value");
    assert!(system.cuts.iter().any(|cut| cut.name == "vtrace1"), "its trace point is reached with anything");
    assert_eq!(system.obstacles.len(), 1);
}

/// An activation of a recursive function is a part of its own: it starts with any arguments of any call.
#[test]
fn recursive_functions_are_laid_out_once() {
    let text = "void __VERIFIER_assert(int);
        int down(int n) { __VERIFIER_assert(n < 5); return n > 0 ? down(n - 1) : 0; }
        int mainQ(int n) { int first = down(n); return first + down(2 * n); }";
    let system = of_text(text, &Encoding::default());
    let cut = system.cuts_named("call of down");
    assert_eq!(cut.len(), 1);
    let into: Vec<_> = system.transitions.iter().filter(|t| t.to == cut[0]).collect();
    assert_eq!(into.len(), 3, "two calls of the entry and one of its own");
    assert_eq!(system.obligations.len(), 1);
    assert_eq!(system.obligations[0].from, cut[0]);
    assert!(system.obstacles.is_empty());
}

#[test]
fn after_something_unsupported_every_cut_and_claim_is_open() {
    let text = "void __VERIFIER_assert(int); void vtrace1(int n); int setjmp(int *);
        int mainQ(int n) { int b; if (n > 3) setjmp(&b); n = 1; vtrace1(n); __VERIFIER_assert(n == 1); return n; }";
    let system = of_text(text, &Encoding::default());
    assert!(system.transitions.iter().any(|t| t.updates.len() == system.variables.len()));
    assert!(system.obligations.iter().any(|o| o.path.fresh.contains(&o.claim)));
}

#[test]
fn unknown_writes_reach_what_pointers_may_reach() {
    let text = "int *elsewhere(void); void vtrace1(int a, int b);
        int mainQ(int n) { int a = 1, b = 2; int *p = &a; *elsewhere() = n; vtrace1(a, b); return *p; }";
    let system = of_text(text, &Encoding::default());
    let arriving = system.transitions.iter().find(|t| t.to.0 == 1).expect("the trace point should be reached");
    let update = |name: &str| {
        let position = system.variables.iter().position(|v| v.name == name).expect("a variable");
        arriving.updates[&prove::system::VariableId(position as u32)]
    };
    assert!(arriving.path.fresh.contains(&update("a")), "its address is taken");
    assert_eq!(update("b"), system.pool.int(2), "nothing can reach it");
}

#[test]
fn checks_are_claims_of_their_own() {
    let text = "int mainQ(int i, int d) { int a[4] = {0}; a[i] = 1; return a[i] / d + i; }";
    let system = of_text(text, &Encoding { checks: true, ..Encoding::default() });
    let kinds: Vec<PropertyKind> = system.properties.iter().map(|property| property.kind).collect();
    for kind in [PropertyKind::Bounds, PropertyKind::DivisionByZero, PropertyKind::Overflow] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    assert!(system.assumptions.is_empty(), "{:?}", system.assumptions);
}

#[test]
fn constants_keep_their_values_and_globals_start_with_theirs() {
    let text = "void vtrace1(int n); const int table[2] = {4, 7}; int g = 5;
        int mainQ(int n) { while (1) { vtrace1(n); if (n > 9) break; n = n + table[1] + g; g = g + 1; } return n; }";
    let system = of_text(text, &Encoding::default());
    let text = system.to_text(&diagnostics::SourceMap::new());
    assert!(text.contains("g := 5"), "{text}");
    assert!(text.contains("n := (+ g n 7)") || text.contains("n := (+ n g 7)"), "{text}");
}

/// An array of variable length keeps its length where it is accessed through a pointer in another function.
#[test]
fn arrays_of_variable_length_are_followed() {
    let text = "int first(int *p) { return p[0]; }
        int mainQ(int n) { int a[n]; a[0] = 3; a[1] = first(a); return a[1]; }";
    let system = of_text(text, &Encoding { checks: true, ..Encoding::default() });
    assert!(system.properties.iter().any(|property| property.kind == PropertyKind::Bounds));
    assert!(system.obstacles.is_empty(), "{:?}", system.obstacles);
}
