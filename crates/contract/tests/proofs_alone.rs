//! What proofs say of the attacks on contracts when no input is tried: most false claims there fall to a run, and would
//! say nothing of the prover.

use cfront::preprocess::Options;
use contract::{Config, Origin, Standing};
use diagnostics::Deadline;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_secs(20);

/// What is claimed in a file, by clause: whether it is proved.
fn proved(path: &Path, text: &str) -> Vec<(String, bool)> {
    let beside = text.lines().filter_map(|line| line.strip_prefix("//@ with: "));
    let files: Vec<PathBuf> =
        std::iter::once(path.to_path_buf()).chain(beside.map(|name| path.with_file_name(name))).collect();
    let options = Options::default();
    let Ok(loaded) = cfront::load(&files, &options) else { panic!("{} should be C", path.display()) };
    let config = Config {
        files,
        options,
        entries: Vec::new(),
        assumed: Vec::new(),
        seed: 1,
        inputs: 0,
        proves: true,
        patience: TIME,
        deadline: Deadline::default().by(Instant::now() + TIME),
    };
    let found = contract::contract(&loaded.program, &config).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let clauses = found.functions.into_iter().flat_map(|function| function.ensures);
    let given = clauses.filter(|clause| clause.origin == Origin::User);
    given.map(|clause| (clause.text, matches!(clause.standing, Standing::Proved { .. }))).collect()
}

#[test]
fn no_false_claim_is_proved_without_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/attacks/contracts");
    let mut wrong = Vec::new();
    let (mut attacks, mut twins) = (0, 0);
    for entry in std::fs::read_dir(&folder).expect("the attacks should be there").flatten() {
        let path = entry.path();
        let text = std::fs::read_to_string(&path).expect("an attack should be a text");
        if text.starts_with("//@ unit") {
            continue;
        }
        let is_false = text.contains("\n//@ never: proved given\n");
        for (clause, is_proved) in proved(&path, &text) {
            match (is_false, is_proved) {
                (true, false) => attacks += 1,
                (false, true) => twins += 1,
                (true, true) => wrong.push(format!("{}: `{clause}` is proved", path.display())),
                (false, false) => wrong.push(format!("{}: `{clause}` is not proved", path.display())),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(attacks > 50 && twins > 10, "{attacks} attacks and {twins} twins");
}
