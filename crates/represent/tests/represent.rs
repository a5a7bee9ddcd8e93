//! The source's worked examples: their inverses as printed, and the property that makes them inverses.

use cfront::preprocess::Options;
use ir::Program;
use represent::execute::Chosen;
use represent::invert::{Inverse, invert};
use represent::language::{Role, normalisation};
use represent::show::show;
use represent::values::{Array, Value, Values};
use represent::variants::{Material, Normaliser, Variants, variants};
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

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
            // The inverse asks for no element twice.
            let places = random.choose_multiple(0..20, 8);
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

/// Variants of a sample. Each is normalised once more, and made once more.
fn made(program: &Program, inverse: &Inverse, sample: &Values, seed: u64, count: usize) -> Variants {
    let normaliser = Normaliser::new(program, &inverse.normalisation);
    let name = &inverse.normalisation.name;
    let canonical = normaliser.canonical(sample).unwrap_or_else(|bad| panic!("{name}: {bad:?}"));
    let cancel = Arc::default();
    let material = Material { inverse, normaliser: &normaliser, sample, canonical: &canonical, seed, cancel: &cancel };
    let found = variants(&material, count, |variant, values| {
        assert_eq!(normaliser.canonical(values).as_ref(), Ok(&canonical), "{name}: {values:?}");
        assert_eq!(material.values(variant), *values, "{name}");
        Ok::<(), Infallible>(())
    });
    let Ok(found) = found;
    found
}

const EXAMPLES: [&str; 8] =
    ["example1", "example2", "example3", "example4", "example5", "example6", "ddsurfacedesc", "sum"];

/// Normalising what the inverse made gives the canonical value again. What does not is counted as rejected; that nothing is
/// says that the inverses are free of failures.
#[test]
fn inverses_are_sound_and_free_of_failures() {
    for name in EXAMPLES {
        let (program, inverse) = load(name);
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..12 {
            let sample = values(&inverse, &sample(name, &mut random));
            let found = made(&program, &inverse, &sample, round, 24);
            assert_eq!(found.rejected, 0, "{name}, round {round}: {found:?}");
            // These have one representation only.
            let unique = matches!(name, "example1" | "example2" | "example4");
            assert_eq!(found.variants.is_empty(), unique, "{name}, round {round}: {:?}", found.short);
        }
    }
}

/// The same for thousands of canonical values, with what `ensure` may choose taken from a representation instead of the
/// solver, which takes most of the time.
#[test]
fn normalising_undoes_the_inverse_for_any_canonical_value() {
    for name in EXAMPLES {
        let (program, inverse) = load(name);
        let normaliser = Normaliser::new(&program, &inverse.normalisation);
        let mut random = fastrand::Rng::with_seed(11);
        for round in 0..1000 {
            let sample = values(&inverse, &sample(name, &mut random));
            let canonical = normaliser.canonical(&sample).unwrap_or_else(|bad| panic!("{name}: {bad:?}"));
            let material = Material {
                inverse: &inverse,
                normaliser: &normaliser,
                sample: &sample,
                canonical: &canonical,
                seed: round,
                cancel: &Arc::default(),
            };
            let chosen = choice(&inverse, &sample);
            let values = material.near(&chosen, false).unwrap_or_else(|| panic!("{name}: {chosen:?} of {sample:?}"));
            assert_eq!(normaliser.canonical(&values).as_ref(), Ok(&canonical), "{name}: {values:?}");
        }
    }
}

/// What `ensure` would have chosen to come to this representation.
fn choice(inverse: &Inverse, sample: &Values) -> Chosen {
    let mut chosen = Chosen::default();
    for &id in &inverse.chosen {
        chosen.scalars.extend(sample.scalar(id).map(|value| (id.0, value)));
        for (at, &value) in sample.array(id).iter().flat_map(|array| array.elements.iter().enumerate()) {
            chosen.elements.insert((id.0, vec![at as i128]), value);
        }
    }
    chosen
}

#[test]
fn the_pitch_is_at_least_the_width() {
    let (program, inverse) = load("ddsurfacedesc");
    let sample = values(&inverse, &sample("ddsurfacedesc", &mut fastrand::Rng::with_seed(3)));
    let found = made(&program, &inverse, &sample, 3, 40);
    let id =
        |name: &str| inverse.normalisation.ids(Role::Input).find(|&id| inverse.normalisation.param(id).name == name);
    let (pitch, width) = (id("pitch").expect("a pitch"), id("width").expect("a width"));
    assert_eq!(found.variants.len(), 40);
    let pitches: Vec<i64> = found.variants.iter().map(|v| v.scalars[&pitch]).collect();
    assert!(pitches.iter().all(|p| *p >= sample.scalar(width).unwrap_or(0)), "{pitches:?}");
    assert!(pitches.iter().any(|p| *p > sample.scalar(width).unwrap_or(0)), "{pitches:?}");
}

#[test]
fn the_seed_decides_and_not_the_number_of_threads() {
    for name in ["sum", "example6"] {
        let (program, inverse) = load(name);
        let sample = values(&inverse, &sample(name, &mut fastrand::Rng::with_seed(5)));
        let variants = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| made(&program, &inverse, &sample, 5, 40).variants)
        };
        assert_eq!(variants(1), variants(3), "{name}");
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
            "void f(int n, int *y, int z[n]) { int j = 5; for (int i = 0; i < n; i++) { for (j = 0; j < 1; j++) z[i] = n; } *y = j; }",
            "j | `j` has no value that is known here",
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

/// Programs that have few representations of a sample, and how many others there are: where it is said that there are no
/// more, all of them were given.
#[test]
fn no_more_is_said_of_all_that_there_are() {
    type Case<'a> = (&'a str, &'a [(&'a str, Value)], usize);
    let cases: [Case; 5] = [
        // Nothing depends on `a`, which is left to chance where it can be many things.
        (
            "void f(unsigned char a, int b, int *x) { *x = b; }",
            &[("a", Value::Scalar(3)), ("b", Value::Scalar(7))],
            255,
        ),
        (
            "void f(_Bool a, _Bool c, int b, int *x) { *x = b; }",
            &[("a", Value::Scalar(1)), ("b", Value::Scalar(7)), ("c", Value::Scalar(0))],
            3,
        ),
        // A conversion to `_Bool` keeps whether a number is zero.
        ("void f(signed char a, _Bool *x) { *x = a; }", &[("a", Value::Scalar(51))], 254),
        ("void f(unsigned char a, int *x) { *x = (_Bool)a * 2; }", &[("a", Value::Scalar(0))], 0),
        (
            "void f(unsigned char a, unsigned char b, int *x) { *x = a + b; }",
            &[("a", Value::Scalar(2)), ("b", Value::Scalar(1))],
            3,
        ),
    ];
    for (text, given, others) in cases {
        let program = cfront::load_text(&[("f.c", text)]).unwrap_or_else(|_| panic!("{text} should be read")).program;
        let entry = program.find_function("f").expect("the text should define f");
        let inverse = normalisation(&program, entry).and_then(invert);
        let inverse = inverse.unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
        for seed in 0..3 {
            let found = made(&program, &inverse, &values(&inverse, given), seed, 300);
            let short = found.short.unwrap_or_default();
            assert_eq!(
                (found.variants.len(), short.as_str()),
                (others, "there are no more that differ"),
                "{text}, {seed}"
            );
        }
    }
}
