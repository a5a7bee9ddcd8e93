//! Instrumented programs: well-formed, showing what they should, and doing what the original does.

use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input};
use infer::{Config, Engine, Location, observe};
use ir::{FunctionId, Program};
use observe::inputs::Values;
use observe::locations::{At, Instrumented, Request, instrument};
use proptest::prelude::*;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn parsed(text: &str) -> Program {
    cfront::load_text(&[("test.c", text)]).unwrap_or_else(|e| panic!("{e:?}")).program
}

fn instrumented(program: &Program, entry: &str, request: &Request) -> Instrumented {
    let made = instrument(program, program.find_function(entry).unwrap(), request);
    assert_eq!(ir::verify(&made.program), []);
    for (location, points) in made.locations.iter().zip(&made.points) {
        assert!(!points.is_empty(), "{} should have a trace statement", location.name);
    }
    made
}

fn listing(locations: &[Location]) -> String {
    let mut text = String::new();
    for location in locations {
        let names: Vec<&str> = location.variables.iter().map(|v| v.name.as_str()).collect();
        let guards: Vec<String> = location.guards.iter().map(ToString::to_string).collect();
        writeln!(text, "{}: {} | {}", location.name, names.join(" "), guards.join(" && ")).unwrap();
    }
    text
}

const EVERYTHING: &str = "\
int g;
void vassume(int);
int f(int x, unsigned u, double d) {
    vassume(x >= 0 && d < 2.5);
    int i, y;
    for (i = 0; i < x; i++) {
        if (i % 2) continue;
        g = g + 2;
    }
    do {
        u = u / 2;
        if (u == 7) break;
    } while (u > 3);
    if (x > 10 && u != 5) {
        y = x * 2;
        return y + i;
    }
again:
    x = x - 1;
    if (x > 0) goto again;
    return x;
}
";

#[test]
fn loops_exits_labels_and_lines() {
    let program = parsed(EVERYTHING);
    let at = vec![At::Label("again".to_string()), At::Line { file: String::new(), line: 15 }];
    let made = instrumented(&program, "f", &Request { at, ..Request::default() });
    let expected = "\
loop at line 6: x u d i g x_0 u_0 n1 2^n1 | x >= 0 && d < 5/2
loop at line 10: x u d i g x_0 u_0 n1 2^n1 n2 2^n2 | x >= 0 && d < 5/2 && i >= x
return at line 16: x u d i y g x_0 u_0 result n1 2^n1 n2 2^n2 | x >= 0 && d < 5/2 && i >= x && x > 10 && u != 5
return at line 21: x u d i g x_0 u_0 n1 2^n1 n2 2^n2 | x <= 0
again: x u d i g x_0 u_0 n1 2^n1 n2 2^n2 | \n\
line 15: x u d i g x_0 u_0 n1 2^n1 n2 2^n2 | x >= 0 && d < 5/2 && i >= x && x > 10 && u != 5
";
    assert_eq!(listing(&made.locations), expected);
    let nowhere = vec![At::Label("nowhere".to_string()), At::Line { file: "other.c".to_string(), line: 15 }];
    assert_eq!(
        instrument(&program, made.entry, &Request { at: nowhere, ghosts: false, ..Request::default() }).notes.len(),
        2
    );
}

#[test]
fn names_that_are_taken_are_avoided() {
    let text = "int f(int x, int x_0) { int n1 = 0; while (x > 0) { x--; n1++; { int x = 3; while (x) x--; } } return x + n1; }";
    let made = instrumented(&parsed(text), "f", &Request::default());
    let inner: Vec<&str> = made.locations[1].variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(inner, ["x_0", "n1", "x", "x_0_", "n1_", "2^n1_", "n2", "2^n2"]);
}

#[test]
fn trace_points_of_called_functions_count_and_join() {
    let text = "void vtrace1(int a, int b);\nvoid vtrace2(int *p, int a);\n\
        static int twice(int a) { for (int k = 0; k < 3; k++) { vtrace1(a, k); } return 2 * a; }\n\
        int mainQ(int a) { int b = twice(a); while (b > 0) { vtrace2(&b, b); b--; } vtrace1(a, b); return b; }\n\
        int unrelated(int a) { vtrace1(a, 2 * a); return a; }\n";
    let made = instrumented(&parsed(text), "mainQ", &Request::default());
    // The two places of `vtrace1` show other values; a pointer is no number; `b` may change behind its address.
    let expected = "vtrace2: b n2 2^n2 | \nvtrace1: a b n2 2^n2 | \nvtrace1: a k n1 2^n1 | k < 3\n";
    assert_eq!(listing(&made.locations), expected);
}

#[test]
fn rounds_are_counted_where_they_end() {
    let text = "void vtrace1(int, int); void vtrace2(int, int); void vtrace3(int);\n\
        void mainQ(int x) {\n\
            int i = 0, j = 0;\n\
            while (1) { vtrace1(i, x); if (i >= x) break; i++; if (i % 3 == 0) continue; j = 0; do { vtrace2(i, j); j++; } while (j < 4); }\n\
            vtrace3(i);\n\
        }";
    let program = parsed(text);
    let config = Config { ranges: vec![Values::parse("x=0..20").unwrap()], ..Config::default() };
    let seen = observe(&program, program.find_function("mainQ").unwrap(), &config).unwrap();
    let column = |location: &str, name: &str| -> Vec<i64> {
        let index = seen.locations().iter().position(|l| l.name == location).unwrap();
        let at = seen.locations()[index].variables.iter().position(|v| v.name == name).unwrap();
        seen.evidence_at(index).0.rows().map(|row| row[at]).collect()
    };
    assert_eq!(column("vtrace1", "i"), column("vtrace1", "n1"));
    assert_eq!(column("vtrace2", "j"), column("vtrace2", "n2"));
    assert_eq!(column("vtrace3", "i"), column("vtrace3", "n1"));
    assert!(column("vtrace3", "n2").iter().all(|n| [0, 4].contains(n)));
    let powers: Vec<i64> = column("vtrace1", "n1").iter().map(|n| 1 << n).collect();
    assert_eq!(column("vtrace1", "2^n1"), powers);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/nla/lcm1.c");
    let program = cfront::load(&[path], &Default::default()).unwrap().program;
    let entry = program.find_function("mainQ").unwrap();
    let rows = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let seen = pool.install(|| observe(&program, entry, &Config::default()).unwrap());
        let rows = |index: usize| seen.evidence_at(index).0.rows().map(<[i64]>::to_vec).collect::<Vec<_>>();
        (seen.runs, (0..seen.locations().len()).map(rows).collect::<Vec<_>>())
    };
    assert!(rows(1) == rows(3), "one thread should see what three see");
}

fn run(program: &Program, entry: FunctionId) -> (Ending, Vec<u8>) {
    let image = Image::new(program, exec::libc::LIBRARY);
    let budget = Budget { steps: 2_000_000, ..Budget::default() };
    let run = Machine::new(&image).run(entry, &Input::default(), &budget, Options::default());
    (run.outcome.ending, run.outcome.stdout)
}

#[test]
fn instrumented_programs_do_what_the_originals_do() {
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lang")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => pending.push(path),
                Some(ending) if ending == "c" => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let compared: usize = files
        .par_iter()
        .map(|path| {
            // Files of several units do not load alone; those that do are many.
            let Ok(loaded) = cfront::load(std::slice::from_ref(path), &Default::default()) else { return 0 };
            let Some(entry) = loaded.program.find_function("main") else { return 0 };
            if loaded.program.functions[entry].body.is_none() {
                return 0;
            }
            let made = instrument(&loaded.program, entry, &Request::default());
            assert_eq!(ir::verify(&made.program), [], "{}", path.display());
            let (original, copy) = (run(&loaded.program, entry), run(&made.program, entry));
            // The copy takes more steps, so it may run out of them earlier.
            let out = |ending: &Ending| matches!(ending, Ending::OutOfBudget { .. });
            assert!(original == copy || out(&original.0) || out(&copy.0), "{}: {original:?} {copy:?}", path.display());
            1
        })
        .sum();
    assert!(compared > 50, "only {compared} programs were compared");
}

proptest! {
    #[test]
    fn random_programs_stay_well_formed(choices in prop::collection::vec(any::<u32>(), 0..300)) {
        let program = ir::arbitrary::program(&choices);
        for (function, _, _) in program.defined_functions() {
            let made = instrument(&program, function, &Request::default());
            prop_assert_eq!(ir::verify(&made.program), []);
        }
    }
}

#[test]
fn native_runs_see_what_the_vm_sees() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sum.c");
    std::fs::write(
        &path,
        "int sum(int n, int x) {\n    int i = 0, s = 0;\n    while (i < n) {\n        i = i + 1;\n        s = s + x;\n    }\n    return s;\n}\n",
    )
    .unwrap();
    let program = cfront::load(std::slice::from_ref(&path), &Default::default()).unwrap().program;
    let entry = program.find_function("sum").unwrap();
    let numbers = |a, b| Input { params: vec![exec::Scalar::Int(a), exec::Scalar::Int(b)], ..Input::default() };
    // The last one overflows: both engines keep the rows up to there.
    let inputs = vec![numbers(5, 3), numbers(0, 1), numbers(-2, 7), numbers(12, i128::from(i32::MAX / 3))];
    let rows = |engine: Engine| {
        let request = Request { ghosts: false, ..Request::default() };
        let config = Config { engine, request, inputs: Some(inputs.clone()), ..Config::default() };
        let seen = observe(&program, entry, &config).unwrap();
        let of = |i: usize| seen.evidence_at(i).0.rows().map(<[i64]>::to_vec).collect::<Vec<_>>();
        (listing(seen.locations()), (0..seen.locations().len()).map(of).collect::<Vec<_>>())
    };
    let native = rows(Engine::Native { paths: vec![path], options: Default::default() });
    assert_eq!(native, rows(Engine::Vm));
    assert!(native.1[0].len() > 10);
}
