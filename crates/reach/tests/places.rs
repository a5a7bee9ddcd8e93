//! Inputs that lead to places: the examples, both reductions, and C that is not ordinary.

use cfront::preprocess::Options;
use exec::Scalar;
use ir::Program;
use reach::places::reduction::{Case, Hole, KnownCase, Synthesis, reachability_of, solve, synthesis_of};
use reach::places::suite::{self, SuiteReport};
use reach::places::{Config, Counts, Found, PlacesReport, Wanted, driver, reach, word};
use replay::Sources;
use std::path::Path;
use symex::explore::{self, Argument, Given};
use symex::targets;

const REACHED: &str = "reached";
const UNREACHABLE: &str = "unreachable";
const UNKNOWN: &str = "unknown";

struct Loaded {
    program: Program,
    config: Config,
    _folder: Option<tempfile::TempDir>,
}

fn load_file(path: &Path) -> Loaded {
    let files = vec![path.to_path_buf()];
    let loaded = cfront::load(&files, &Options::default()).unwrap_or_else(|_| panic!("{} should be C", path.display()));
    let config = Config { sources: Some(Sources { files, options: Options::default() }), ..Config::default() };
    Loaded { program: loaded.program, config, _folder: None }
}

fn load(text: &str) -> Loaded {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.c");
    std::fs::write(&path, text).unwrap();
    Loaded { _folder: Some(folder), ..load_file(&path) }
}

fn example(name: &str) -> Loaded {
    load_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/reach").join(name))
}

impl Loaded {
    fn reach(&self, entry: &str, target: &str) -> PlacesReport {
        let entry = self.program.find_function(entry).unwrap();
        let wanted = [(target.to_string(), Wanted::parse(target))];
        let found = targets::resolve(&self.program, &wanted).unwrap_or_else(|error| panic!("{error:?}"));
        reach(&self.program, entry, &found, &self.config)
    }

    fn one(&self, entry: &str, target: &str) -> Found {
        self.reach(entry, target).targets.into_iter().next().unwrap()
    }

    fn cover(&self, entry: &str) -> SuiteReport {
        suite::cover(&self.program, self.program.find_function(entry).unwrap(), &self.config)
    }
}

fn int(found: &Found, name: &str) -> i128 {
    let witness = found.witness.as_ref().unwrap();
    match witness.given.iter().find(|(known, _)| known == name) {
        Some((_, Given::Scalar(_, Scalar::Int(value)))) => *value,
        other => panic!("{name} should be an integer: {other:?}"),
    }
}

/// Every branch of the examples is reached or said to be unreachable: so many of the latter.
#[test]
fn examples_are_covered() {
    let cases = [
        ("figure.c", "P", 0),
        ("triangle.c", "classify", 1),
        ("magic.c", "main", 1),
        ("bisect.c", "find", 1),
        ("machine.c", "main", 2),
        ("list.c", "client", 1),
    ];
    for (name, entry, unreachable) in cases {
        let found = example(name).cover(entry);
        let left: Vec<String> = found
            .branches
            .iter()
            .filter(|found| !found.is_reached())
            .map(|found| format!("{:?} {} {:?}", word(&found.verdict), found.target.name, found.why()))
            .collect();
        assert_eq!(Counts::of(&found.branches).unknown, 0, "{name}: {left:?}");
        assert_eq!(Counts::of(&found.branches).unreachable, unreachable, "{name}: {left:?}");
    }
}

#[test]
fn the_driver_replays_the_tests() {
    let examples = [("triangle.c", "classify"), ("magic.c", "main"), ("machine.c", "main"), ("bisect.c", "find")];
    let own = [
        ("pointers", "int f(int *a, int *b) { a[1] = 1; *b = 2; if (a[1] == 2) return 1; return 0; }"),
        ("stream", "#include <stdio.h>\nint f(FILE *a, int n) { fputs(\"x\", a); if (n == 7) return 1; return 0; }"),
    ];
    let examples = examples.into_iter().map(|(name, entry)| (name, entry, example(name)));
    for (name, entry, loaded) in examples.chain(own.into_iter().map(|(name, text)| (name, "f", load(text)))) {
        let found = loaded.cover(entry);
        let id = loaded.program.find_function(entry).unwrap();
        let source = std::fs::canonicalize(&loaded.config.sources.as_ref().unwrap().files[0]).unwrap();
        let text = driver::replaying_program(&loaded.program, id, &source.display().to_string(), &[], &found.tests);
        let folder = tempfile::tempdir().unwrap();
        let (file, binary) = (folder.path().join("driver.c"), folder.path().join("replay"));
        std::fs::write(&file, &text).unwrap();
        let compiled =
            std::process::Command::new("cc").args(["-w", "-o"]).args([&binary, &file]).arg("-lm").output().unwrap();
        assert!(compiled.status.success(), "{name}: {}\n{text}", String::from_utf8_lossy(&compiled.stderr));
        let run = std::process::Command::new(&binary).output().unwrap();
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(
            run.status.success() && said.contains(&format!("test {}: passed", found.tests.len())),
            "{name}: {said}"
        );
    }
}

/// Figures 5.3 and 5.6: the label is reached, the synthesis instance is solved by what reaches it, and that instance made
/// a reachability problem again is reached.
#[test]
fn reachability_round_trip() {
    let loaded = example("figure.c");
    let direct = loaded.one("P", "L");
    assert_eq!(word(&direct.verdict), REACHED);
    let solves = |x: i128, y: i128| 2 * x == y && x > y + 10;
    assert!(solves(int(&direct, "x"), int(&direct, "y")));

    let entry = loaded.program.find_function("P").unwrap();
    let target = targets::resolve(&loaded.program, &[("L".into(), Wanted::parse("L"))]).unwrap().remove(0);
    let sources = loaded.config.sources.as_ref().unwrap();
    let instance = synthesis_of(&loaded.program, entry, &target, &sources.files, &sources.options).unwrap();
    let synthesis = load(&instance.text);
    let start = synthesis.program.find_function(&instance.entry).unwrap();
    let holes: Vec<_> = instance.holes.iter().map(|hole| synthesis.program.find_global(&hole.name).unwrap()).collect();
    let tests = [KnownCase { args: Vec::new(), expected: Scalar::Int(1) }];
    let solved = solve(&synthesis.program, start, &holes, &tests, &explore::Config::default());
    let values = solved.values.expect("the instance should have a solution, because the label is reached");
    let [Scalar::Int(x), Scalar::Int(y)] = values[..] else { panic!("{values:?}") };
    assert!(solves(x, y), "{x} {y}");

    let back = load(&reachability_of(&instance));
    let again = back.one("plumb_p", "plumb_L");
    assert_eq!(word(&again.verdict), REACHED, "{:?}", again.why());
    assert!(solves(int(&again, "plumb_c0_value"), int(&again, "plumb_c1_value")));
}

/// Figures 5.4 and 5.5: the template of Figure 5.4 is solved directly and as a reachability program.
#[test]
fn synthesis_round_trip() {
    let text = "int c0, c1, c2;
        int Q(int i, int u, int d) {
            int b, r;
            if (i) b = c0 + c1 * u + c2 * d; else b = u;
            if (b > d) r = 1; else r = 0;
            return r;
        }";
    let tests = [(1, 0, 100, 0), (1, 11, 110, 1), (0, 100, 50, 1), (1, -20, 60, 1), (0, 0, 10, 0), (0, 0, -10, 1)];
    let passes = |c: [i128; 3]| {
        tests.iter().all(|&(i, u, d, expected)| {
            let b = if i != 0 { c[0] + c[1] * u + c[2] * d } else { u };
            i128::from(b > d) == expected
        })
    };
    let loaded = load(text);
    let entry = loaded.program.find_function("Q").unwrap();
    let names = ["c0", "c1", "c2"];
    let holes: Vec<_> = names.iter().map(|name| loaded.program.find_global(name).unwrap()).collect();
    let known = |value: i128| Argument::Concrete(Scalar::Int(value));
    let cases: Vec<KnownCase> = tests
        .iter()
        .map(|&(i, u, d, expected)| KnownCase {
            args: vec![known(i), known(u), known(d)],
            expected: Scalar::Int(expected),
        })
        .collect();
    let solved = solve(&loaded.program, entry, &holes, &cases, &explore::Config::default());
    let values = solved.values.expect("Figure 5.4 has a solution");
    let [Scalar::Int(a), Scalar::Int(b), Scalar::Int(c)] = values[..] else { panic!("{values:?}") };
    assert!(passes([a, b, c]), "{a} {b} {c}");

    let instance = Synthesis {
        text: text.to_string(),
        holes: names.iter().map(|name| Hole { name: name.to_string(), ty: "int".to_string() }).collect(),
        entry: "Q".to_string(),
        tests: tests
            .iter()
            .map(|(i, u, d, expected)| Case {
                args: vec![i.to_string(), u.to_string(), d.to_string()],
                expected: expected.to_string(),
            })
            .collect(),
    };
    let program = load(&reachability_of(&instance));
    let found = program.one("plumb_p", "plumb_L");
    assert_eq!(word(&found.verdict), REACHED, "{:?}", found.why());
    assert!(passes(["c0_value", "c1_value", "c2_value"].map(|name| int(&found, name))));

    // No values make contradicting tests pass, and that is said for sure.
    let contradicting = [cases[0].clone(), KnownCase { expected: Scalar::Int(1), ..cases[0].clone() }];
    let solved = solve(&loaded.program, entry, &holes, &contradicting, &explore::Config::default());
    assert!(solved.values.is_none() && solved.search.is_complete());
}

/// Expectations about single programs: entry, target, verdict.
#[test]
fn unusual_c() {
    let cases: &[(&str, &str, &str, &str)] = &[
        // goto, fall through, a switch with ranges
        (
            "int f(int x) { int n = 0; again: n++; if (n < x) goto again; if (n == 7) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "int f(unsigned x) { switch (x % 4) { case 0: x = 9; case 1: if (x == 9) { L: return 1; } break; default: return 2; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "int f(unsigned char x) { switch (x & 3) { case 0 ... 3: return 0; default: L: return 1; } }",
            "f",
            "L",
            UNREACHABLE,
        ),
        // unions, bit-fields, function pointers, recursion, arrays of variable length, records by value
        (
            "int f(unsigned x) { union { unsigned u; unsigned char b[4]; } v; v.u = x; if (v.b[0] == 0x12 && v.b[3] == 0x34) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "int f(int x) { struct { unsigned a : 3; int b : 5; } s; s.a = x; s.b = x; if (s.a == 5 && s.b == -11) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "int f(int x) { struct { unsigned a : 3; } s; s.a = x; if (s.a > 7) { L: return 1; } return 0; }",
            "f",
            "L",
            UNREACHABLE,
        ),
        (
            "static int one(int x) { return x + 1; } static int two(int x) { return 2 * x; } int f(int k, int x) { int (*t[2])(int) = {one, two}; if (k < 0 || k > 1 || x > 1000 || x < -1000) return 0; if (t[k](x) == 84 && k == 1) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); } int f(int n) { if (n < 0 || n > 6) return 0; if (fact(n) == 120) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "int f(unsigned n) { if (n == 0 || n > 4) return 0; int a[n]; for (unsigned i = 0; i < n; i++) a[i] = i * i; if (a[n - 1] == 9) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "struct p { int x, y; }; static struct p swap(struct p a) { struct p b = {a.y, a.x}; return b; } int f(int x, int y) { struct p a = {x, y}; a = swap(a); if (a.x == 3 && a.y == 4) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        // indices, strings, characters
        (
            "int f(int i, int v) { int a[4] = {0}; if (i < 0 || i > 3) return 0; a[i] = v; if (a[2] == 77) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "#include <string.h>\nint f(const char *s) { if (strcmp(s, \"magic!\") == 0) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "#include <ctype.h>\n#include <string.h>\nint f(char *s) { if (strlen(s) == 3 && isdigit(s[0]) && isupper(s[1]) && s[2] == '-') { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        (
            "#include <ctype.h>\nint f(unsigned char c) { if (isdigit(c) && isalpha(c)) { L: return 1; } return 0; }",
            "f",
            "L",
            UNREACHABLE,
        ),
        (
            "#include <stdlib.h>\nint main(int argc, char **argv) { if (argc == 2 && atoi(argv[1]) == -42) { L: return 1; } return 0; }",
            "main",
            "L",
            REACHED,
        ),
        // null pointers, where the program asks
        ("int f(int *p) { if (!p) { L: return 1; } return *p; }", "f", "L", REACHED),
        ("int f(int *p) { int x = *p; if (!p) { L: return x; } return 0; }", "f", "L", UNREACHABLE),
        // wrap-around, bits, signs
        ("int f(unsigned x) { if (x + 1 < x) { L: return 1; } return 0; }", "f", "L", REACHED),
        ("int f(int x) { if (x < 100 && x + 1 < x) { L: return 1; } return 0; }", "f", "L", UNREACHABLE),
        (
            "int f(unsigned x) { if ((x & (x - 1)) == 0 && x > 1000 && x % 3 == 2) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        ("int f(unsigned x) { if (x * x == 2) { L: return 1; } return 0; }", "f", "L", UNREACHABLE),
        // assumptions and answers
        (
            "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); __VERIFIER_assume(a > 0 && b > a); if (a * 1000 + b == 5006) { L: return 1; } return 0; }",
            "main",
            "L",
            REACHED,
        ),
        (
            "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); int main(void) { int a = __VERIFIER_nondet_int(); __VERIFIER_assume(a > 5); if (a == 3) { L: return 1; } return 0; }",
            "main",
            "L",
            UNREACHABLE,
        ),
        // floating values are reals until the program has run
        ("int f(double x) { if (x * 2.0 == 7.5) { L: return 1; } return 0; }", "f", "L", REACHED),
        // part of a program: what is not there is not called
        ("int g(int); int f(int x) { if (x == 77) { L: return 1; } return g(x); }", "f", "L", REACHED),
        // a sorting network of choices: paths that meet again are one
        (
            "int f(int a[4]) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3 - i; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } for (int i = 0; i < 3; i++) if (a[i] > a[i + 1]) { L: return 1; } return 0; }",
            "f",
            "L",
            UNREACHABLE,
        ),
        // numbers in strings, and strings in strings
        (
            "#include <stdlib.h>\nint main(int argc, char **argv) { if (argc < 2) return 0; char *end; long n = strtol(argv[1], &end, 0); if (n == 0x2b && *end == ';') { L: return 1; } return 0; }",
            "main",
            "L",
            REACHED,
        ),
        (
            "#include <stdlib.h>\nint f(void) { char *end; if (strtol(\" -12x\", &end, 10) != -12 || *end != 'x' || strtoul(\"0xfg\", 0, 16) != 15 || strtol(\"08\", &end, 0) != 0 || *end != '8') { L: return 1; } return 0; }",
            "f",
            "L",
            UNREACHABLE,
        ),
        (
            "#include <string.h>\nint f(char s[6]) { s[5] = 0; char t[16] = \"a\"; strncat(t, s, 3); if (strstr(t, \"xyz\") == t + 1 && strlen(s) == 5) { L: return 1; } return 0; }",
            "f",
            "L",
            REACHED,
        ),
        // dead code
        ("int f(int x) { return x; L: return 1; }", "f", "L", UNREACHABLE),
    ];
    for (text, entry, target, expected) in cases {
        let found = load(text).one(entry, target);
        assert_eq!(word(&found.verdict), *expected, "{text}\n{:?}", found.why());
        assert_eq!(found.is_replayed(), *expected == REACHED, "{text}");
    }
}

#[test]
fn claims_and_errors() {
    let broken = load("#include <assert.h>\nint f(int x) { assert(x != 1234567); assert(x + 0 == x); return 0; }");
    let verdicts: Vec<&str> = broken.reach("f", "assert").targets.iter().map(|found| word(&found.verdict)).collect();
    assert_eq!(verdicts, [REACHED, UNREACHABLE]);
    let cases = [
        ("int f(int x) { return 100 / (x - 5); }", REACHED),
        ("int f(int x) { if (x > 5) return 100 / (x - 5); return 0; }", UNREACHABLE),
        ("int f(int i) { int a[3] = {1, 2, 3}; if (i < 0) return 0; return a[i]; }", REACHED),
        ("int f(int i) { int a[3] = {1, 2, 3}; return a[(unsigned)i % 3]; }", UNREACHABLE),
        ("int f(int x) { return x + 1; }", REACHED),
        (
            "#include <stdlib.h>\nint f(int x) { char *p = malloc(4); if (!p) return 0; free(p); if (x == 3) free(p); return 0; }",
            REACHED,
        ),
    ];
    for (text, expected) in cases {
        let found = load(text).one("f", "error");
        assert_eq!(word(&found.verdict), expected, "{text}\n{:?}", found.why());
    }
}

/// What is bounded is not called unreachable.
#[test]
fn bounds_are_said() {
    let cases = [
        "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] == 1; if (s == 50) { L: return 1; } return 0; }",
        "#include <stdio.h>\nint main(void) { int n = 0; while (getchar() != EOF) n++; if (n == 5000) { L: return 1; } return 0; }",
        "#include <string.h>\nint f(const char *s) { if (strlen(s) == 30) { L: return 1; } return 0; }",
        "int f(int n) { int i = 0; while (i < n) i++; if (i == 100000) { L: return 1; } return 0; }",
    ];
    for text in cases {
        let loaded = load(text);
        let entry = if text.contains("main") { "main" } else { "f" };
        let found = loaded.one(entry, "L");
        assert_eq!(word(&found.verdict), UNKNOWN, "{text}: {:?}", found.why());
        assert!(found.why().is_some());
    }
}

/// A stream is an input that the compiled program gets too; what becomes of files is up to the world.
#[test]
fn streams() {
    let cases = [
        (
            "int f(FILE *out, int n) { if (fprintf(out, \"%d\", n) < 0) return 2; if (n == 77) { L: return 1; } return 0; }",
            REACHED,
        ),
        ("int f(FILE *in) { if (!in) return 1; if (fgetc(in) == EOF) { L: return 2; } return 0; }", REACHED),
        ("int f(FILE *in) { if (fgetc(in) == 300) { L: return 2; } return 0; }", UNREACHABLE),
        ("int f(FILE *in) { if (fgetc(in) == 'x') { L: return 2; } return 0; }", UNKNOWN),
        ("int f(void) { FILE *a = fopen(\"a\", \"r\"); if (!a) { L: return 1; } return fclose(a); }", REACHED),
        ("int f(void) { FILE *a = fopen(\"a\", \"r\"); if (a) { L: return 1; } return 0; }", UNKNOWN),
        ("int f(FILE *a, FILE *b) { if (a && a == b) { L: return 1; } return 0; }", UNKNOWN),
        ("int f(FILE *a) { if (a == stdout) { L: return 1; } return 0; }", UNKNOWN),
        ("int f(FILE *a) { if (a->_flags == 77) { L: return 1; } return 0; }", UNKNOWN),
        ("int f(const char *s) { puts(s); if (s[0] == 'a' && s[1] == 'b') { L: return 1; } return 0; }", REACHED),
        ("int f(const char *s, int n) { puts(s); if (n < 0 && n > 5) { L: return 1; } return 0; }", UNREACHABLE),
    ];
    for (text, verdict) in cases {
        let found = load(&format!("#include <stdio.h>\n{text}")).one("f", "L");
        assert_eq!(word(&found.verdict), verdict, "{text}: {:?}", found.why());
    }
}

/// Pointers of one type may lead to one object, and the compiled program is given them so.
#[test]
fn pointers_that_meet() {
    let cases = [
        ("int f(int *a, int *b) { *a = 1; *b = 2; if (*a == 2) { L: return 1; } return 0; }", REACHED),
        ("int f(int *a, int *b) { a[1] = 1; *b = 2; if (a[1] == 2) { L: return 1; } return 0; }", REACHED),
        ("int f(char *a, char *b) { *b = 'x'; if (a == b && *a == 'x') { L: return 1; } return 0; }", REACHED),
        (
            "int f(int *a, int *b, int *c) { *a = 1; *b = 2; *c = 3; if (*a + *b == 6) { L: return 1; } return 0; }",
            REACHED,
        ),
        ("int f(int *restrict a, int *b) { *a = 1; *b = 2; if (*a == 2) { L: return 1; } return 0; }", UNKNOWN),
        ("int f(int *a, int *b) { *b = 2; if (a[3] == 7 && b == a + 3) { L: return 1; } return 0; }", UNKNOWN),
        ("int f(int *a, long *b) { *a = 1; *b = 2; if (*a == 2) { L: return 1; } return 0; }", UNKNOWN),
    ];
    for (text, verdict) in cases {
        let found = load(text).one("f", "L");
        assert_eq!(word(&found.verdict), verdict, "{text}: {:?}", found.why());
        if verdict == REACHED {
            let witness = found.witness.as_ref().unwrap();
            let meets = witness.given.iter().any(|(_, given)| matches!(given, Given::Within { .. }));
            assert!(meets && found.is_replayed(), "{text}: {witness:?}");
        }
    }
}

#[test]
fn lines_in_an_order() {
    use symex::explore::{Client, Goal, GoalId, Met, Scenario};
    struct Last(Option<Met>);
    impl Client for Last {
        fn met(&mut self, met: Met) -> Vec<GoalId> {
            let goal = met.goal;
            self.0 = Some(met);
            vec![goal]
        }
    }
    let text = "int f(int a, int b) {\n int n = 0;\n for (int i = 0; i < 2; i++) {\n if (a == i)\n n += 1;\n if (b == i)\n n += 10;\n }\n return n; }";
    let loaded = load(text);
    let wanted: Vec<(String, Wanted)> = ["7", "5"].iter().map(|line| (line.to_string(), Wanted::parse(line))).collect();
    let found = targets::resolve(&loaded.program, &wanted).unwrap();
    let marked = targets::mark(&loaded.program, &found);
    let names: Vec<String> = (0..2).map(targets::point_name).collect();
    let entry = marked.program.find_function("f").unwrap();
    let mut client = Last(None);
    let scenario = Scenario::open_call(&marked.program, entry);
    explore::explore(&marked.program, &scenario, &[Goal::Sequence(names)], &explore::Config::default(), &mut client);
    let witness = client.0.expect("line 7 can come before line 5").witness;
    let value = |name: &str| match witness.given.iter().find(|(known, _)| known == name) {
        Some((_, Given::Scalar(_, Scalar::Int(value)))) => *value,
        other => panic!("{other:?}"),
    };
    assert_eq!((value("a"), value("b")), (1, 0));
}
