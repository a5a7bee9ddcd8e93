//! The attacks on order and start-up, as the front end sees them: a program that means several things carries a statement
//! that says so, and a program that means one thing carries none.
//!
//! What the verbs make of it is tested with them; this is the part that has to be right before they start.

use cfront::preprocess::Options;
use ir::{Program, StmtKind};
use std::path::{Path, PathBuf};

fn attacks(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/attacks").join(folder);
    let entries = std::fs::read_dir(&root).expect("the folder of attacks should be there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("an attack should be readable");
            (path, text)
        })
        .collect()
}

fn load(path: &Path) -> Program {
    let loaded = cfront::load(&[path.to_path_buf()], &Options::default());
    let loaded = loaded.unwrap_or_else(|failure| panic!("{} should load: {failure:?}", path.display()));
    let problems = ir::verify(&loaded.program);
    assert!(problems.is_empty(), "{} should be well-formed: {problems:?}", path.display());
    loaded.program
}

/// The statements after which nothing is promised.
fn doubts(program: &Program) -> Vec<String> {
    let mut found = Vec::new();
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Unordered(open) => found.push(open.what.clone()),
            StmtKind::Unsupported(what) => found.push(what.clone()),
            _ => {}
        });
    }
    found
}

#[test]
fn open_orders_are_marked_and_no_others() {
    let mut wrong = Vec::new();
    for (path, text) in attacks("order") {
        let found = doubts(&load(&path));
        if text.contains("//@ twin:") != found.is_empty() {
            wrong.push(format!("{}: {found:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// True claims about the start and end of a program need plain statements; false ones are seen by the verbs.
#[test]
fn starts_and_ends_are_plain_statements() {
    let mut wrong = Vec::new();
    for (path, _) in attacks("startup").into_iter().filter(|(_, text)| text.contains("//@ twin:")) {
        let found = doubts(&load(&path));
        if !found.is_empty() {
            wrong.push(format!("{}: {found:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
