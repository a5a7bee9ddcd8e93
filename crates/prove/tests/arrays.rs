//! Arrays of C programs: what is shown, what is found, and what is proved.

use infer::arrays::Options;
use infer::{Form, FormConfig, emit};
use observe::harness::Extent;
use prove::refine;
use std::collections::BTreeSet;

struct Case<'c> {
    text: &'c str,
    entry: &'c str,
    options: Options,
}

fn config(options: Options) -> infer::Config {
    let forms = FormConfig { forms: BTreeSet::from([Form::Flat, Form::Nested]), ..FormConfig::default() };
    infer::Config { forms, arrays: options, ..infer::Config::default() }
}

/// Every relation with its location and verdict.
fn refinement(case: &Case<'_>) -> Result<Vec<String>, String> {
    let program = cfront::load_text(&[("test.c", case.text)]).unwrap_or_else(|e| panic!("{e:?}")).program;
    let entry = program.find_function(case.entry).unwrap();
    let proving = prove::Config { infer: config(case.options.clone()), ..Default::default() };
    Ok(shown(&refine(&program, entry, &proving)?))
}

fn shown(report: &prove::RefinementReport) -> Vec<String> {
    let line = |location: &str, found: &infer::ArrayInvariant| {
        format!("{location}: {} ({})", found.text(), found.relation.verdict.name())
    };
    let locations = report.found.locations.iter();
    locations.flat_map(|l| l.arrays.iter().map(|found| line(&l.location.name, found))).collect()
}

fn check(text: &str, entry: &str, wanted: &[&str]) {
    let case = Case { text, entry, options: Options::default() };
    let mut found = refinement(&case).unwrap();
    found.retain(|line| !line.starts_with("loop at"));
    assert_eq!(found, wanted, "{text}");
}

#[test]
fn functions_of_arrays_are_given_some() {
    let transpose = "void f(const int a[3][4], int b[4][3]) {
        for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) b[j][i] = a[i][j]; }";
    check(transpose, "f", &["end of f: b[i][j] == a[j][i]  for 0 <= i < 4, 0 <= j < 3 (proved)"]);
    let reverse = "void f(const short a[6], short r[6]) { for (int i = 0; i < 6; i++) r[5 - i] = a[i]; }";
    check(reverse, "f", &["end of f: r[i] == a[5 - i]  for 0 <= i < 6 (proved)"]);
    let looked_up = "static const unsigned char t[8] = {3, 1, 7, 0, 2, 6, 5, 4};
        void f(const unsigned char a[5], unsigned char r[5]) { for (int i = 0; i < 5; i++) r[i] = t[a[i] & 7]; }";
    check(looked_up, "f", &["end of f: r[i] == t[and(a[i], 7)]  for 0 <= i < 5 (proved)"]);
    let permuted = "static const unsigned char P[16] = {5, 12, 3, 0, 9, 14, 7, 2, 11, 1, 15, 4, 8, 13, 6, 10};
        void f(const int in[16], int out[16]) { for (int i = 0; i < 16; i++) out[i] = in[P[i]]; }";
    check(permuted, "f", &["end of f: out[i] == in[P[i]]  for 0 <= i < 16 (proved)"]);
}

#[test]
fn lengths_come_from_parameters_or_the_user() {
    let copy = "void f(int n, const int a[n], int b[n]) { for (int i = 0; i < n; i++) b[i] = a[i] + 1; }";
    check(copy, "f", &["end of f: b[i] == a[i] + 1  for 0 <= i < n (proved)"]);
    let filled = "void f(int n, int v, int a[n]) { for (int i = 0; i < n; i++) a[i] = v + 3 * i; }";
    check(filled, "f", &["end of f: a[i] == v + 3*i  for 0 <= i < n (proved)"]);
    // Of the first elements alone nothing is said: there are arrays that do not have so many.
    let ends =
        "void f(int n, const int b[n], int a[n]) { for (int i = 0; i < n; i++) a[i] = i < 3 ? b[i] : 7 * i * i; }";
    for line in refinement(&Case { text: ends, entry: "f", options: Options::default() }).unwrap() {
        assert!(!line.contains("for 0 <= i < 3 "), "{line}");
    }
    let pointers = "void f(const int *a, int *b, int n) { for (int i = 0; i < n; i++) b[i] = 2 * a[i]; }";
    let case = |extents: Vec<(String, Extent)>| {
        let options = Options { extents, ..Options::default() };
        refinement(&Case { text: pointers, entry: "f", options })
    };
    // The guard of the loop says how long both are.
    assert_eq!(case(Vec::new()).unwrap().last().unwrap(), "end of f: a[i] == 1/2*b[i]  for 0 <= i < n (proved)");
    let both = ["a=n", "b=n"].map(|text| Extent::parse(text).unwrap()).to_vec();
    assert_eq!(case(both).unwrap().last().unwrap(), "end of f: a[i] == 1/2*b[i]  for 0 <= i < n (proved)");
    let odd = case(vec![Extent::parse("c=4").unwrap()]).unwrap_err();
    assert!(odd.contains('c'), "{odd}");
}

#[test]
fn trace_points_show_arrays_of_the_program() {
    let flatten = "void vtrace1(int a[][4], int b[]); int __VERIFIER_nondet_int(void);
        int mainQ(int x) { int b[24]; int a[10][4];
            for (int i = 0; i < 24; i++) b[i] = __VERIFIER_nondet_int();
            for (int i = 0; i < 10; i++) if (i < 6) for (int j = 0; j < 4; j++) a[i][j] = b[4 * i + j];
            vtrace1(a, b); return x; }";
    check(flatten, "mainQ", &["vtrace1: a[i][j] == b[4*i + j]  for 0 <= i < 6, 0 <= j < 4 (proved)"]);
    let heap = "void *malloc(unsigned long); void free(void *);
        void vtrace1(int *a, int *b); int __VERIFIER_nondet_int(void);
        int mainQ(int x) { int *a = malloc(5 * sizeof(int)), b[5];
            for (int i = 0; i < 5; i++) { b[i] = __VERIFIER_nondet_int(); a[4 - i] = b[i]; }
            vtrace1(a, b); free(a); return x; }";
    check(heap, "mainQ", &["vtrace1: a[i] == b[4 - i]  for 0 <= i < 5 (observed)"]);
}

#[test]
fn a_false_relation_is_never_proved() {
    // Two visits, and only the first is a copy.
    let twice = "void vtrace1(int a[], int b[]); int __VERIFIER_nondet_int(void);
        int mainQ(int x) { int a[4], b[4];
            for (int i = 0; i < 4; i++) { b[i] = __VERIFIER_nondet_int(); a[i] = b[i]; }
            vtrace1(a, b); if (x == 123456) a[2]++; vtrace1(a, b); return x; }";
    for line in refinement(&Case { text: twice, entry: "mainQ", options: Options::default() }).unwrap() {
        assert!(!line.contains("for 0 <= i < 4 (proved)"), "{line}");
    }
}

/// What given runs show and the program does not always do: the indices of the runs are in range, or all the same.
#[test]
fn indices_of_claims_are_not_taken_for_granted() {
    let given = |indices: fn(i128) -> i128| -> Vec<exec::Input> {
        let elements = |n: i128| (0..4).map(move |k| 37 * n * n + 91 * n * k - 55 * k * k);
        let run = |n: i128| elements(n).chain((0..4).map(|k| indices(4 * n + k))).map(exec::Scalar::Int).collect();
        (0..60).map(|n| exec::Input { nondet: run(n), ..exec::Input::default() }).collect()
    };
    let clamped = "void f(const int a[4], const int c[4], int r[4]) {
        for (int i = 0; i < 4; i++) r[i] = c[i] >= 0 && c[i] < 4 ? a[c[i]] : a[3]; }";
    let backwards = "void f(const int a[4], const int c[4], int r[4]) {
        for (int i = 0; i < 4; i++) r[i] = *(a + 3 - c[i]); }";
    let looked_up =
        (clamped, given(|n| ((n * 0x9e37_79b1) >> 13) & 3), "end of f: r[i] == a[c[i]]  for 0 <= i < 4 (observed)");
    let last = (backwards, given(|_| 0), "end of f: r[i] == a[3]  for 0 <= i < 4 (observed)");
    for (text, inputs, wanted) in [looked_up, last] {
        let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
        let infer = infer::Config { inputs: Some(inputs), ..config(Options::default()) };
        let found = shown(
            &refine(&program, program.find_function("f").unwrap(), &prove::Config { infer, ..Default::default() })
                .unwrap(),
        );
        assert!(found.contains(&wanted.to_string()), "{found:?}");
    }
}

#[test]
fn loops_have_relations_up_to_where_they_have_come() {
    let copy = "int __VERIFIER_nondet_int(void);
        int f(int n) { int a[12], b[12] = {0};
            for (int k = 0; k < 12; k++) a[k] = __VERIFIER_nondet_int();
            int c = 0; while (c < 12) { b[c] = a[c]; c++; } return n; }";
    let found = refinement(&Case { text: copy, entry: "f", options: Options::default() }).unwrap();
    assert!(found.iter().any(|line| line.starts_with("loop at line 4: b[i] == a[i]  for 0 <= i < c")), "{found:?}");
}

#[test]
fn functions_of_the_program_take_arrays() {
    let text = "static int twice(int x) { return 2 * x + (x & 1); }
        static void mix(const int in[3], int out[3]) { out[0] = in[1] * 3; out[1] = in[0] ^ in[2]; out[2] = in[2] - 7; }
        void f(const int a[4][3], int r[4][3], int s[4]) {
            for (int i = 0; i < 4; i++) { mix(a[3 - i], r[i]); s[i] = twice(a[i][0]); } }";
    let options = Options { functions: vec!["mix".into(), "twice".into()], ..Options::default() };
    let found = refinement(&Case { text, entry: "f", options }).unwrap();
    for wanted in ["r[i] == mix(a[3 - i])  for 0 <= i < 4", "s[i] == twice(a[i][0])  for 0 <= i < 4"] {
        assert!(found.iter().any(|line| line.contains(wanted)), "{found:?}");
    }
    let options = Options { functions: vec!["nobody".into()], ..Options::default() };
    let unknown = refinement(&Case { text, entry: "f", options }).unwrap_err();
    assert!(unknown.contains("defines no function `nobody`"), "{unknown}");
}

#[test]
fn relations_are_written_back() {
    let text =
        "void f(const int a[3], int r[3]) {\n    for (int i = 0; i < 3; i++)\n        r[i] = 2 * a[2 - i] + i;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.c");
    std::fs::write(&path, text).unwrap();
    let program = cfront::load(std::slice::from_ref(&path), &Default::default()).unwrap().program;
    let path = path.to_str().unwrap();
    let entry = program.find_function("f").unwrap();
    let report = infer::infer(&program, entry, &config(Options::default())).unwrap();
    let acsl = emit::acsl(&program, &report).files[path].clone();
    let wanted = "\\forall integer i; 0 <= i < 3 ==> r[i] == 2*a[2 - i] + i";
    assert!(acsl.contains(wanted), "{acsl}");
    let asserted = emit::c_assert(&program, &report).files[path].clone();
    assert!(asserted.contains("for (long i = 0; i < 3; i++) assert(r[i] == "), "{asserted}");
    let written = folder.path().join("asserted.c");
    std::fs::write(&written, &asserted).unwrap();
    assert!(cfront::load(&[written], &Default::default()).is_ok(), "{asserted}");
}

#[test]
fn harnesses_are_well_formed() {
    let text = "int f(int n, const unsigned char a[n], double d[2][3], int k) { return a[0] + (int) d[0][0] + k; }";
    let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
    let entry = program.find_function("f").unwrap();
    let ranges = vec![("a".to_string(), (1, 9))];
    let made = observe::harness::harness(&program, entry, &[], &ranges, observe::harness::Filled::All).unwrap();
    assert_eq!(ir::verify(&made.program), []);
    assert_eq!(made.arrays.len(), 2);
}

/// Following paths would decide the claim; the question still does not fit the program.
#[test]
fn a_range_that_does_not_fit_is_refused() {
    let text = "void assert(int); int f(int n) { int i = 0; while (i < n) i++; assert(i >= 0); return i; }";
    let program = cfront::load_text(&[("test.c", text)]).unwrap_or_else(|e| panic!("{e:?}")).program;
    let entry = program.find_function("f").unwrap();
    let ranges = vec![observe::inputs::Values::parse("z=0..9").unwrap()];
    let infer = infer::Config { ranges, ..infer::Config::default() };
    let config = prove::Config { infer, paths: true, ..prove::Config::default() };
    let refused = prove::prove(&program, entry, &config).unwrap_err();
    assert!(matches!(&refused, prove::Refusal::Request(why) if why.contains("no parameter `z`")), "{refused}");
}
