//! `suites/aes`: the program gives the standard's results, and what is documented of each function is found, and
//! nothing else that further runs refute.

use exec::vm::{self, Image, Machine};
use exec::{Budget, Ending, Input};
use infer::arrays::Options;
use infer::{Config, Form, FormConfig, InferReport, infer};
use ir::Program;
use observe::inputs::Values;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/aes")
}

fn load(files: &[&str]) -> Program {
    let files: Vec<PathBuf> = files.iter().map(|file| suite().join(file)).collect();
    cfront::load(&files, &Default::default()).unwrap().program
}

/// What an `.inv` file says of a function.
#[derive(Default)]
struct Documented {
    function: String,
    ranges: Vec<(String, Values)>,
    functions: Vec<String>,
    relations: Vec<String>,
    /// What is looked for on all inputs and without functions.
    unrestricted: Vec<String>,
}

fn documented() -> Vec<Documented> {
    let entries = std::fs::read_dir(suite()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "inv")).collect();
    files.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let mut found =
            Documented { function: path.file_stem().unwrap().to_string_lossy().into_owned(), ..Documented::default() };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(range) = line.strip_prefix("input:") {
                found.ranges.push(Values::parse(range.trim()).unwrap());
            } else if let Some(functions) = line.strip_prefix("functions:") {
                found.functions.extend(functions.split(',').map(|name| name.trim().to_string()));
            } else if let Some(relation) = line.strip_prefix("unrestricted:") {
                found.unrestricted.push(relation.trim().to_string());
            } else {
                found.relations.push(line.to_string());
            }
        }
        found
    };
    files.iter().map(read).collect()
}

fn found(program: &Program, about: &Documented, seed: u64) -> InferReport {
    let entry = program.find_function(&about.function).unwrap();
    let config = Config {
        seed,
        ranges: about.ranges.clone(),
        forms: FormConfig {
            forms: BTreeSet::from([Form::Equality, Form::Flat, Form::Nested]),
            ..FormConfig::default()
        },
        arrays: Options { functions: about.functions.clone(), ..Options::default() },
        ..Config::default()
    };
    infer(program, entry, &config).unwrap()
}

fn texts(report: &InferReport) -> BTreeSet<String> {
    let numbers = report.locations.iter().flat_map(|l| l.invariants.iter().map(|i| i.predicate.to_string()));
    let arrays = report.locations.iter().flat_map(|l| l.arrays.iter().map(|i| i.text()));
    numbers.chain(arrays).collect()
}

#[test]
fn the_vectors_of_the_standard() {
    let program = load(&["aes.c", "spec.c", "tables.c", "vectors.c"]);
    let image = Image::new(&program, exec::libc::LIBRARY);
    let main = program.find_function("main").unwrap();
    let run = Machine::new(&image).run(main, &Input::default(), &Budget::default(), vm::Options::default());
    assert_eq!(run.outcome.ending, Ending::Exited(0), "{}", String::from_utf8_lossy(&run.outcome.stdout));
}

#[test]
fn all_that_is_documented_is_found() {
    let program = load(&["aes.c", "spec.c", "tables.c"]);
    let documented = documented();
    assert_eq!(documented.len(), 25);
    assert_eq!(documented.iter().map(|d| d.relations.len() + d.unrestricted.len()).sum::<usize>(), 30);
    let lost: Vec<String> = documented
        .par_iter()
        .flat_map_iter(|about| {
            let mut lost = Vec::new();
            let mut look = |relations: &[String], about: &Documented| {
                let texts = if relations.is_empty() { BTreeSet::new() } else { texts(&found(&program, about, 1)) };
                let missing = relations.iter().filter(|relation| !texts.contains(*relation));
                lost.extend(missing.map(|relation| format!("{}: {relation}\n  found: {texts:#?}", about.function)));
            };
            look(&about.relations, about);
            look(&about.unrestricted, &Documented { function: about.function.clone(), ..Documented::default() });
            lost
        })
        .collect();
    assert!(lost.is_empty(), "{} of 30 are not found:\n{}", lost.len(), lost.join("\n"));
}

/// Relations of arrays that one seed shows and another does not are accidents.
#[test]
fn nothing_depends_on_the_seed() {
    let program = load(&["aes.c", "spec.c", "tables.c"]);
    let arrays = |report: &InferReport| -> BTreeSet<String> {
        report.locations.iter().flat_map(|l| l.arrays.iter().map(|i| i.text())).collect()
    };
    let names = ["multWord", "xor3Word", "shiftRows", "block2State"];
    documented().par_iter().filter(|about| names.contains(&about.function.as_str())).for_each(|about| {
        let (one, other) = (arrays(&found(&program, about, 1)), arrays(&found(&program, about, 77)));
        assert_eq!(one, other, "{}", about.function);
    });
}
