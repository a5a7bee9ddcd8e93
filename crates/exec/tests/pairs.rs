//! The pairs of `testdata/pairs`: each program does one thing that C leaves undefined, at the line that says so, and with
//! `-DTWIN` does not. The VM must find the first, by its rule and at its line, and nothing in the second.

use exec::vm::{Image, Leaks, Machine, Options, Policy, Schedule};
use exec::{Budget, Ending, Input};
use std::path::{Path, PathBuf};

fn run(path: &Path, twin: bool, seed: u64) -> Result<(), String> {
    let flags = if twin { vec!["-DTWIN".to_string()] } else { Vec::new() };
    let options = cfront::preprocess::Options { flags, threads: true, ..Default::default() };
    let loaded = cfront::load(&[path.to_path_buf()], &options).map_err(|failure| format!("{failure:?}"))?;
    let program = loaded.program;
    assert!(ir::verify(&program).is_empty(), "{} should be well-formed", path.display());
    let entry = program.find_function("main").ok_or("no main")?;
    // As `plumb run --leaks` does it.
    let image = Image::new(&program, exec::libc::LIBRARY).judging_strictly();
    let policy = Policy { stack: 8 << 20, ..Policy::default() };
    let watch = Options { schedule: Some(Schedule { seed }), policy, leaks: Some(Leaks::Lost), ..Options::default() };
    let budget = Budget { depth: 1_000_000, ..Budget::default() };
    let done = Machine::new(&image).run(entry, &Input::default(), &budget, watch);
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let expected: Vec<(u32, &str)> = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| line.split_once("//~ ERROR ").map(|(_, rule)| (number, rule.trim())))
        .collect();
    // What is left behind is told when the program has ended.
    let ending = match (done.outcome.ending, done.passed.into_iter().next()) {
        (Ending::Exited(_), Some(finding)) => Ending::Faulted(Box::new(finding)),
        (ending, _) => ending,
    };
    match ending {
        Ending::Exited(0) if twin => Ok(()),
        Ending::Faulted(finding) if !twin => {
            let line = program.sources.used(finding.span).map_or(0, |region| region.start.line);
            let found = (line, finding.rule.id());
            match expected.contains(&found) {
                true => Ok(()),
                false => Err(format!("found {found:?} ({}), expected {expected:?}", finding.message)),
            }
        }
        other => Err(format!("{} ends with {other:?}", if twin { "the twin" } else { "it" })),
    }
}

#[test]
fn undefined_behaviour_is_found_and_its_twin_is_clean() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pairs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() >= 100);
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if let Err(why) = run(path, false, 1) {
            wrong.push(format!("{name}: {why}"));
        }
        // No schedule makes a program undefined that is not.
        for seed in 1..=3 {
            if let Err(why) = run(path, true, seed) {
                wrong.push(format!("{name}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
