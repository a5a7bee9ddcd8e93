//! Every program of the corpus lowers without findings and gives a well-formed program.

use cfront::preprocess::Options;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lang")
}

/// The programs: each file, and each folder under `link/`.
fn programs(folder: &Path, found: &mut Vec<Vec<PathBuf>>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let files: Vec<PathBuf> = entries.iter().filter(|p| p.extension().is_some_and(|e| e == "c")).cloned().collect();
    if folder.parent().is_some_and(|parent| parent.ends_with("link")) {
        found.push(files);
        return;
    }
    found.extend(files.into_iter().map(|file| vec![file]));
    for entry in entries.iter().filter(|entry| entry.is_dir()) {
        programs(entry, found);
    }
}

fn flags(files: &[PathBuf]) -> Vec<String> {
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("//~ cflags: ")).unwrap_or("");
    line.split_whitespace().map(str::to_string).collect()
}

#[test]
fn every_program_lowers_and_is_well_formed() {
    let mut all = Vec::new();
    programs(&corpus(), &mut all);
    assert!(all.len() >= 150, "the corpus should be there, and {} programs are", all.len());
    let mut wrong = Vec::new();
    for files in &all {
        let options = Options { flags: flags(files), ..Options::default() };
        let name = files[0].display();
        match cfront::load(files, &options) {
            Ok(loaded) => {
                // Some of them are about orders of evaluation, which is no mistake where no claim depends on it.
                for finding in loaded.findings.iter().filter(|f| f.rule != diagnostics::Rule::OpenOrder) {
                    let place = loaded.program.sources.describe(finding.span);
                    wrong.push(format!("{place}: {}", finding.message));
                }
                for problem in ir::verify(&loaded.program) {
                    wrong.push(format!("{name}: {}", problem.describe(&loaded.program)));
                }
                // One program is about functions without a model that nobody calls.
                let is_model_wanted = !files[0].ends_with("function/unused-unsupported.c");
                for (_, function, body) in loaded.program.defined_functions().filter(|_| is_model_wanted) {
                    body.walk(&mut |stmt| {
                        if let ir::StmtKind::Unsupported(what) = &stmt.kind {
                            wrong.push(format!("{name}: {}: unsupported: {what}", function.name));
                        }
                    });
                }
            }
            Err(cfront::Failure::Program { findings, sources }) => {
                wrong.extend(findings.iter().map(|f| format!("{}: {}", sources.describe(f.span), f.message)));
            }
            Err(cfront::Failure::Environment(trouble)) => wrong.push(format!("{name}: {trouble}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
