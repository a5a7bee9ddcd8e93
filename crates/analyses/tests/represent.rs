//! The source's worked examples: their inverses as printed, and the property that makes them inverses.

use analyses::represent::invert::{Inverse, invert};
use analyses::represent::language::{Role, normalisation};
use analyses::represent::show::show;
use analyses::represent::values::{Array, Value, Values};
use analyses::represent::variants::{Normaliser, Variants, variants};
use cfront::preprocess::Options;
use ir::Program;
use std::path::Path;
use std::sync::atomic::AtomicBool;

fn load(name: &str) -> (Program, Inverse) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/represent");
    let options = Options { flags: vec!["-D__PLUMB__=1".into()], ..Options::default() };
    let loaded = cfront::load(&[folder.join(format!("{name}.c"))], &options);
    let program = loaded.unwrap_or_else(|why| panic!("{name}.c should load: {why:?}")).program;
    let entry = program.find_function(name).expect("the function should have the name of its file");
    let inverse = normalisation(&program, entry).and_then(invert);
    let inverse = inverse.unwrap_or_else(|refusal| panic!("{name} should be invertible: {refusal:?}"));
    (program, inverse)
}

fn refusal(text: &str) -> String {
    let loaded = cfront::load_text(&[("norm.c", text)]).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let (entry, _, _) = loaded.program.defined_functions().next().expect("there should be a function");
    match normalisation(&loaded.program, entry).and_then(invert) {
        Ok(inverse) => panic!("{text}\nshould be refused, but its inverse is\n{}", show(&inverse)),
        Err(refusal) => {
            let bytes = text.as_bytes();
            let (start, end) = (refusal.span.lo as usize, refusal.span.hi as usize);
            let place = String::from_utf8_lossy(&bytes[start..end]);
            format!("{} | {}", place.trim_end_matches(';'), refusal.reason)
        }
    }
}

fn values(inverse: &Inverse, given: &[(&str, Value)]) -> Values {
    let mut values = Values::empty(&inverse.normalisation);
    for id in inverse.normalisation.ids(Role::Input) {
        let name = &inverse.normalisation.param(id).name;
        let (_, value) = given.iter().find(|(other, _)| other == name).unwrap_or_else(|| panic!("no {name}"));
        values.set(id, value.clone());
    }
    values
}

fn list(elements: Vec<i64>) -> Value {
    Value::Array(Array { dims: vec![elements.len()], elements })
}

/// A representation of each example, at random.
fn sample(name: &str, random: &mut fastrand::Rng) -> Vec<(&'static str, Value)> {
    let number = |random: &mut fastrand::Rng| Value::Scalar(random.i64(-50..=50));
    let numbers = |n: usize, random: &mut fastrand::Rng| list((0..n).map(|_| random.i64(-50..=50)).collect());
    match name {
        "example1" | "example2" => vec![("x1", number(random)), ("x2", number(random))],
        "example3" => {
            vec![("x1", number(random)), ("x2", number(random)), ("x3", number(random)), ("x4", number(random))]
        }
        "example4" => vec![("x1", numbers(10, random)), ("x2", numbers(10, random))],
        "example5" => vec![("x", numbers(13, random))],
        "example6" => {
            let places = (0..8).map(|_| random.i64(0..20)).collect();
            vec![("x1", list(places)), ("x2", numbers(20, random))]
        }
        "ddsurfacedesc" => {
            let (height, width) = (random.i64(1..6), random.i64(1..6));
            let pitch = width + random.i64(0..4);
            let surface = (0..pitch * height).map(|_| random.i64(0..256)).collect();
            vec![
                ("height", Value::Scalar(height)),
                ("width", Value::Scalar(width)),
                ("pitch", Value::Scalar(pitch)),
                ("surface", list(surface)),
            ]
        }
        "sum" => {
            // One number can be cut in one way only.
            let (n, m) = (random.i64(1..5), random.i64(2..5));
            vec![("n", Value::Scalar(n)), ("m", Value::Scalar(m)), ("x", numbers((n * m) as usize, random))]
        }
        other => panic!("no sample of {other}"),
    }
}

fn made(name: &str, seed: u64, count: usize) -> (Inverse, Values, Variants) {
    let (program, inverse) = load(name);
    let mut random = fastrand::Rng::with_seed(seed);
    let sample = values(&inverse, &sample(name, &mut random));
    let found = {
        let normaliser = Normaliser::new(&program, &inverse.normalisation);
        let canonical = normaliser.canonical(&sample).unwrap_or_else(|bad| panic!("{name}: {bad:?}"));
        variants(&inverse, &normaliser, &sample, &canonical, count, seed, &AtomicBool::new(false))
    };
    (inverse, sample, found)
}

const EXAMPLES: [&str; 8] =
    ["example1", "example2", "example3", "example4", "example5", "example6", "ddsurfacedesc", "sum"];

/// Normalising what the inverse made gives the canonical value again: [`variants`] checks that in the VM and counts
/// what does not. That nothing is counted is the claim: the inverses are sound and free of failures.
#[test]
fn inverses_are_sound_and_free_of_failures() {
    for name in EXAMPLES {
        let (program, inverse) = load(name);
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..12 {
            let sample = values(&inverse, &sample(name, &mut random));
            let normaliser = Normaliser::new(&program, &inverse.normalisation);
            let canonical = normaliser.canonical(&sample).unwrap_or_else(|bad| panic!("{name}: {bad:?}"));
            let found = variants(&inverse, &normaliser, &sample, &canonical, 24, round, &AtomicBool::new(false));
            assert_eq!(found.rejected, 0, "{name}, round {round}: {found:?}");
            // These have one representation only.
            let unique = matches!(name, "example1" | "example2" | "example4");
            assert_eq!(found.variants.is_empty(), unique, "{name}, round {round}: {:?}", found.short);
        }
    }
}

#[test]
fn the_pitch_is_at_least_the_width() {
    let (inverse, sample, found) = made("ddsurfacedesc", 3, 40);
    let id =
        |name: &str| inverse.normalisation.ids(Role::Input).find(|&id| inverse.normalisation.param(id).name == name);
    let (pitch, width) = (id("pitch").expect("a pitch"), id("width").expect("a width"));
    assert_eq!(found.variants.len(), 40);
    let pitches: Vec<i64> = found.variants.iter().filter_map(|v| v.values.scalar(pitch)).collect();
    assert!(pitches.iter().all(|p| *p >= sample.scalar(width).unwrap_or(0)), "{pitches:?}");
    assert!(pitches.iter().any(|p| *p > sample.scalar(width).unwrap_or(0)), "{pitches:?}");
}

#[test]
fn the_seed_decides() {
    for name in ["sum", "example6"] {
        assert_eq!(made(name, 5, 10).2.variants, made(name, 5, 10).2.variants, "{name}");
    }
}

#[test]
fn refusals_say_why_and_where() {
    let cases = [
        ("void f(int x, int *y) { *y = x; *y = x; }", "*y = x | the output `y` is assigned a second time here"),
        ("void f(int x, int *y) { *y = x & 3; }", "x & 3 | the operator `&` cannot be inverted"),
        ("void f(double x, int *y) { *y = x; }", "x | `x` is neither an integer nor an array of integers"),
        (
            "void f(int x, int *y) { while (x) *y = x; }",
            "while (x) *y = x | the loop is not counted: for (i = a; i < b; i++) is, with any bounds and a constant step",
        ),
        (
            "int g(int); void f(int x, int *y) { *y = g(x); }",
            "*y = g(x) | a call cannot be inverted; what it does must stand in this function",
        ),
        (
            "void f(const int *x, int *y) { *y = x[1]; }",
            "x[1] | `x` is used as an array; declare it as one, `x[n]`, so that its length is known",
        ),
        (
            "void f(int *y) { *y = 1; }",
            "f | `f` has nothing that is read: by-value and const parameters are the representation",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text), expected, "{text}");
    }
}
