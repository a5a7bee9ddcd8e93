//! Probes in real programs: what is observed is right, and being observed changes nothing.

use cfront::preprocess::Options;
use cfront::probe::{Action, Position, Probe, Sites};
use exec::{Budget, Ending, Input, Outcome, PointId, Scalar};
use ir::StmtKind;
use replay::{Conditions, Marks, Recipe, Source, compile, prepare, prepare_marked};
use std::path::{Path, PathBuf};

fn budget() -> Budget {
    Budget { time_ms: 30_000, ..Budget::default() }
}

fn load(path: &Path, text: &str) -> (ir::Program, Vec<PathBuf>, Options) {
    std::fs::write(path, text).unwrap();
    let (paths, options) = (vec![path.to_path_buf()], Options::default());
    let program = cfront::load(&paths, &options).unwrap_or_else(|e| panic!("{e:?}")).program;
    (program, paths, options)
}

/// A benchmark in the style of DIG: conventions defined empty, and a `main` besides.
const DIVISION: &str = r#"
#include <stdlib.h>
void vassume(int b) {}
void vtrace1(int q, int r, int a, int b, int x, int y) {}
void vtrace2(int q, int r, long y) {}
int mainQ(int x, int y) {
    vassume(x >= 0 && y > 0);
    int q = 0, r = x;
    while (1) {
        if (!(r >= y)) break;
        int a = 1, b = y;
        while (r >= 2 * b) {
            vtrace1(q, r, a, b, x, y);
            a = 2 * a;
            b = 2 * b;
        }
        r = r - b;
        q = q + a;
    }
    if (q) vtrace2(q, r, (long)y * y);
    return q;
}
int main(int argc, char **argv) { return mainQ(atoi(argv[1]), atoi(argv[2])); }
"#;

#[test]
fn trace_points_and_assumptions_are_observed_although_defined_empty() {
    let dir = tempfile::tempdir().unwrap();
    let (program, paths, options) = load(&dir.path().join("divide.c"), DIVISION);
    let entry = program.find_function("mainQ").unwrap();
    let prepared = prepare(&program, &paths, &options, entry).unwrap();
    assert_eq!(prepared.unobserved, []);
    let binary = compile(&prepared.recipe, None).unwrap_or_else(|e| panic!("{e}"));
    let run = |x, y| {
        let input = Input { params: vec![Scalar::Int(x), Scalar::Int(y)], ..Input::default() };
        binary.run(&input, &budget(), &Conditions::default()).unwrap()
    };
    let finished = run(100, 7);
    assert_eq!(finished.outcome.ending, Ending::Returned(Some(Scalar::Int(14))));
    let point = finished.trace.point(finished.trace.find("vtrace1").unwrap());
    assert!(point.len() > 3);
    let invariant = logic::Predicate::parse("x == q*y + r && b == a*y && r >= 2*b").unwrap();
    for row in point.rows() {
        assert_eq!(invariant.holds(&row), Ok(true), "{row:?}");
    }
    let after = finished.trace.point(finished.trace.find("vtrace2").unwrap());
    let values: Vec<Scalar> = after.row(0).values().collect();
    assert_eq!(values, [Scalar::Int(14), Scalar::Int(2), Scalar::Int(49)]);
    assert!(matches!(run(100, 0).outcome.ending, Ending::Assumed { .. }));
    assert!(matches!(run(-1, 1).outcome.ending, Ending::Assumed { .. }));
}

#[test]
fn open_conventions_are_stubbed_and_what_is_not_observed_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let text = "void vtrace1(int, int);\nvoid vtrace2();\n\
        #define SEE(x) do { vtrace1(x, x + 1); } while (0)\n\
        static int twice(int x) { int *p = &x; SEE(x); vtrace1(x, -x); vtrace2(p); return 2 * x; }\n";
    let (program, paths, options) = load(&dir.path().join("open.c"), text);
    let prepared = prepare(&program, &paths, &options, program.find_function("twice").unwrap()).unwrap();
    assert_eq!(prepared.recipe.stubs, ["vtrace1", "vtrace2"]);
    assert_eq!(prepared.unobserved.len(), 2, "{:?}", prepared.unobserved);
    let binary = compile(&prepared.recipe, None).unwrap_or_else(|e| panic!("{e}"));
    let input = Input { params: vec![Scalar::Int(21)], ..Input::default() };
    let run = binary.run(&input, &budget(), &Conditions::default()).unwrap();
    assert_eq!(run.outcome.ending, Ending::Returned(Some(Scalar::Int(42))));
    let rows: usize = run.trace.row_count();
    assert_eq!(rows, 1);
}

#[test]
fn counters_count_passes() {
    let dir = tempfile::tempdir().unwrap();
    let text =
        "int main(void) { int s = 0; for (int i = 0; i < 10; i++) if (i % 3) s += i; else continue; return s; }\n";
    let (program, paths, options) = load(&dir.path().join("count.c"), text);
    let mut probes = Vec::new();
    let main = program.find_function("main").unwrap();
    program.functions[main].body.as_ref().unwrap().walk(&mut |stmt| {
        let position = match &stmt.kind {
            StmtKind::Loop(_) => Position::LoopHead(stmt.span),
            StmtKind::Continue | StmtKind::If { .. } | StmtKind::Return(_) => Position::Before(stmt.span),
            _ => return,
        };
        probes.push(Probe { position, action: Action::Count { counter: probes.len() as u32 } });
    });
    let sites = Sites::read(&paths, &options).unwrap();
    let probed = sites.insert(&probes);
    assert_eq!(probed.refused, []);
    let mut recipe = Recipe::new([Source::text(&paths[0], probed.texts[&0].as_str())]);
    recipe.counters = probes.len() as u32;
    let run = compile(&recipe, None).unwrap().run(&Input::default(), &budget(), &Conditions::default()).unwrap();
    assert_eq!(run.outcome.ending, Ending::Exited(27));
    // The loop's head once more than its body; the `if`; `continue` for 0, 3, 6, 9; the return.
    assert_eq!(run.counters, [11, 10, 4, 1]);
}

/// Every statement, loop head and function start of every program of the corpus gets a counter; the program still
/// compiles and behaves as before.
#[test]
fn observing_everything_changes_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lang");
    let mut files = Vec::new();
    collect(&root, &mut files);
    assert!(files.len() > 100);
    // Every fifth program is enough here; each costs two builds.
    let chosen: Vec<&PathBuf> = files.iter().step_by(5).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let (inserted, refused) = (std::sync::atomic::AtomicUsize::new(0), std::sync::atomic::AtomicUsize::new(0));
    let relaxed = std::sync::atomic::Ordering::Relaxed;
    let work = || {
        while let Some(path) = chosen.get(next.fetch_add(1, relaxed)) {
            let (made, missed) = observe_everything(path);
            inserted.fetch_add(made, relaxed);
            refused.fetch_add(missed, relaxed);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let (inserted, refused) = (inserted.into_inner(), refused.into_inner());
    assert!(inserted > 4 * refused, "{inserted} probes were inserted and {refused} refused");
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("link") {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        }
    }
}

fn observe_everything(path: &Path) -> (usize, usize) {
    let file = filetest::TestFile::read(path, &path.to_string_lossy()).unwrap();
    let words = |name: &str| file.words(name).unwrap();
    let options = Options { flags: words("cflags"), ..Options::default() };
    let paths = [path.to_path_buf()];
    // What the front end does not read is the business of its own tests.
    let Ok(loaded) = cfront::load(&paths, &options) else { return (0, 0) };
    let mut probes = Vec::new();
    let mut add = |position| {
        let counter = probes.len() as u32;
        probes.push(Probe { position, action: Action::Count { counter } });
    };
    for (_, function, body) in loaded.program.defined_functions() {
        add(Position::FunctionStart(function.span));
        body.walk(&mut |stmt| {
            add(Position::Before(stmt.span));
            if matches!(stmt.kind, StmtKind::Loop(_)) {
                add(Position::LoopHead(stmt.span));
            }
        });
    }
    let sites = Sites::read(&paths, &options).unwrap_or_else(|e| panic!("{e:?}"));
    let probed = sites.insert(&probes);
    let mut plain = Recipe::new([Source::file(path)]);
    plain.flags = options.flags.clone();
    let mut watched = plain.clone();
    if let Some(text) = probed.texts.get(&0) {
        watched.sources[0].text = Some(text.clone().into_bytes());
    }
    watched.counters = probes.len() as u32;
    let input = Input { args: words("args"), stdin: file.stdin().unwrap(), ..Input::default() };
    let outcomes: Vec<(Outcome, Vec<u64>)> = [&plain, &watched]
        .into_iter()
        .map(|recipe| {
            let binary = compile(recipe, None).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let run = binary.run(&input, &budget(), &Conditions::default()).unwrap();
            (run.outcome, run.counters)
        })
        .collect();
    let show = |outcome: &Outcome| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        format!("{:?}\n{}\n{}", outcome.ending, text(&outcome.stdout), text(&outcome.stderr))
    };
    assert_eq!(show(&outcomes[0].0), show(&outcomes[1].0), "{}", path.display());
    assert!(outcomes[1].1.iter().any(|count| *count > 0) || probes.len() == probed.refused.len(), "{}", path.display());
    (probes.len() - probed.refused.len(), probed.refused.len())
}

#[test]
fn points_have_the_ids_the_recipe_declares() {
    let dir = tempfile::tempdir().unwrap();
    let text = "void vtraceA(); void vtraceB();\nint main(void) { for (short i = 0; i < 2; i++) { vtraceB(i); vtraceA(i / 2.0); } return 0; }\n";
    let (program, paths, options) = load(&dir.path().join("ids.c"), text);
    let prepared = prepare(&program, &paths, &options, program.find_function("main").unwrap()).unwrap();
    assert!(prepared.recipe.entry.is_none());
    let binary = compile(&prepared.recipe, None).unwrap_or_else(|e| panic!("{e}"));
    let run = binary.run(&Input::default(), &budget(), &Conditions::default()).unwrap();
    assert_eq!(run.trace.point(PointId(0)).name(), "vtraceB");
    assert_eq!(run.trace.point(PointId(1)).row(1).get(0), Scalar::Float(0.5));
}

/// What is `static` and what is not, inline functions without a definition for the linker, names that are not the
/// linker's: all are called, with globals of both kinds set before.
#[test]
fn entries_of_all_kinds_are_called_from_outside_their_unit() {
    let text = r#"
        static int hidden = 1;
        int open = 10;
        static int in_file(short a, const char *p) { return hidden + open + a + p[1]; }
        int everywhere(short a, const char *p) { return 1000 + in_file(a, p); }
        extern inline __attribute__((gnu_inline, always_inline)) int in_line(short a, const char *p) { return 2000 + a + p[1]; }
        int renamed(short a, const char *p) __asm__("another_name");
        int renamed(short a, const char *p) { return 3000 + in_file(a, p); }
        static int old(a, p) short a; const char *p; { return 4000 + in_file(a, p); }
        int keep(void) { return in_file(0, "ab") + old(0, "ab"); }
    "#;
    let dir = tempfile::tempdir().unwrap();
    let (program, paths, options) = load(&dir.path().join("kinds.c"), text);
    let arguments = ["(__extension__ (short)plumb_param_int(plumb_at++))", "plumb_object(&plumb_at)"];
    let result_of = |name: &str, globals: &[&str]| {
        let marks = Marks {
            arguments: Some(arguments.map(String::from).to_vec()),
            globals: globals.iter().map(|name| name.to_string()).collect(),
            ..Marks::default()
        };
        let entry = program.find_function(name).unwrap();
        let (prepared, _) = prepare_marked(&program, &paths, &options, entry, &[], &marks).unwrap();
        let binary = compile(&prepared.recipe, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        // The short is -5, the object has two bytes, 1 and 7, and each global is an object of four bytes that hold 100.
        let mut params = vec![-5, 1, 2, 0x0701, 0];
        params.extend(globals.iter().flat_map(|_| [1, 4, 100, 0]));
        let input = Input { params: params.into_iter().map(Scalar::Int).collect(), ..Input::default() };
        binary.run(&input, &budget(), &Conditions::default()).unwrap().outcome.ending
    };
    let returned = |value| Ending::Returned(Some(Scalar::Int(value)));
    assert_eq!(result_of("in_file", &[]), returned(13));
    assert_eq!(result_of("in_file", &["hidden", "open"]), returned(202));
    assert_eq!(result_of("everywhere", &["open"]), returned(1103));
    assert_eq!(result_of("in_line", &[]), returned(2002));
    assert_eq!(result_of("renamed", &["hidden"]), returned(3112));
    assert_eq!(result_of("old", &["hidden", "open"]), returned(4202));
}
