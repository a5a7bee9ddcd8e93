//! What prose and layout promise, checked: paths and crates named in the documents exist, the dependency arrows of
//! ARCHITECTURE.md are those of the manifests, every source file has a module doc, and no banned name crept in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository root should exist")
}

fn files_under(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                files_under(&path, extension, found);
            }
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files_under(&root().join(folder), extension, &mut found);
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn assert_none(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_source_file_starts_with_a_module_doc() {
    let sources = files("crates", "rs");
    assert!(sources.len() > 20);
    assert_none(
        sources
            .iter()
            .filter(|path| !fs::read_to_string(path).unwrap().starts_with("//!"))
            .map(|path| format!("{} should start with a module doc", shown(path)))
            .collect(),
    );
}

#[test]
fn no_room_without_a_label() {
    let banned = ["util", "utils", "common", "helper", "helpers", "misc", "core", "base", "types"];
    assert_none(
        files("crates", "rs")
            .iter()
            .filter(|path| {
                let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
                let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
                banned.contains(&stem.as_str()) || banned.contains(&folder.as_str())
            })
            .map(|path| format!("{} should be named for what it yields", shown(path)))
            .collect(),
    );
}

#[test]
fn no_stub_and_no_ignored_test() {
    // Spelled in pieces so that this file does not find itself.
    let marks = [concat!("#[", "ignore"), concat!("todo", "!("), concat!("unimplemented", "!(")];
    let mut problems = Vec::new();
    for path in files("crates", "rs") {
        let text = fs::read_to_string(&path).unwrap();
        for mark in marks {
            if text.contains(mark) {
                problems.push(format!("{} contains {mark}", shown(&path)));
            }
        }
    }
    assert_none(problems);
}

/// The lines of the given sections of a crate's manifest that name a dependency, by the name that code uses.
fn dependencies(of: &str, sections: &[&str]) -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join("crates").join(of).join("Cargo.toml")).unwrap();
    let mut section = "";
    let mut named = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if sections.contains(&section) && line.starts_with(|c: char| c.is_ascii_lowercase()) {
            named.insert(line.split(['.', ' ', '=']).next().unwrap_or("").replace('-', "_"));
        }
    }
    named
}

fn crate_names() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Dependencies that are there for their features alone; the manifests say why.
const FOR_FEATURES: [(&str, &[&str]); 2] = [
    ("sandbox", &["getrandom", "once_cell", "rustix"]),
    ("cli", &["indexmap", "serde_core", "serde_spanned", "toml_parser", "toml_writer", "winnow"]),
];

/// The text of a file and of those of other crates that are modules of it.
fn with_borrowed(path: &Path) -> String {
    let mut text = fs::read_to_string(path).unwrap();
    let borrowed = text.lines().filter_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]"));
    let borrowed: Vec<String> = borrowed.map(|other| fs::read_to_string(path.with_file_name(other)).unwrap()).collect();
    text.extend(borrowed);
    text
}

#[test]
fn every_dependency_is_used() {
    let mut problems = Vec::new();
    for name in crate_names() {
        let text = |folder: &str| -> String {
            let sources = files(&format!("crates/{name}/{folder}"), "rs");
            sources.iter().map(|path| with_borrowed(path)).collect()
        };
        let (own, tests) = (text("src"), text("tests") + &text("examples"));
        let is_used = |dependency: &String| {
            let marks = [format!("{dependency}::"), format!("{dependency}!"), format!("use {dependency};")];
            (
                marks.iter().any(|mark| own.contains(mark.as_str())),
                marks.iter().any(|mark| tests.contains(mark.as_str())),
            )
        };
        for dependency in dependencies(&name, &["[dependencies]"]) {
            let for_features =
                FOR_FEATURES.iter().any(|(of, names)| *of == name && names.contains(&dependency.as_str()));
            if !is_used(&dependency).0 && !for_features {
                problems.push(format!("crates/{name}/Cargo.toml names {dependency}, which its code does not use"));
            }
        }
        for dependency in dependencies(&name, &["[dev-dependencies]"]) {
            let (own, tests) = is_used(&dependency);
            if !own && !tests {
                problems.push(format!("crates/{name}/Cargo.toml names {dependency}, which no test or example uses"));
            }
        }
    }
    assert_none(problems);
}

/// A module with parts is the `mod.rs` of its folder, so that all of it is in one place.
#[test]
fn modules_with_parts_are_in_their_folders() {
    let sources = crate_names().into_iter().flat_map(|name| files(&format!("crates/{name}/src"), "rs"));
    assert_none(
        sources
            .filter(|path| path.with_extension("").is_dir())
            .map(|path| format!("{} should be the mod.rs of the folder beside it", shown(&path)))
            .collect(),
    );
}

/// The dependencies among our own crates, from the manifests; development dependencies do not count.
fn manifest_arrows() -> BTreeMap<String, BTreeSet<String>> {
    let crates = crate_names();
    let used = |name: &String| dependencies(name, &["[dependencies]"]).intersection(&crates).cloned().collect();
    crates.iter().map(|name| (name.clone(), used(name))).collect()
}

#[test]
fn the_arrows_of_the_architecture_are_those_of_the_manifests() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut drawn = BTreeMap::new();
    for line in text.lines() {
        if let Some((from, to)) = line.strip_prefix("- `").and_then(|rest| rest.split_once("` -> ")) {
            let to = to.split('`').skip(1).step_by(2).map(str::to_string).collect::<BTreeSet<_>>();
            drawn.insert(from.to_string(), to);
        }
    }
    assert_eq!(drawn, manifest_arrows());
}

/// The verbs that have a crate of their own.
const VERBS: [&str; 8] = ["checkup", "conform", "infer", "prove", "reach", "repair", "represent", "symmetry"];

#[test]
fn verbs_know_each_other_by_the_root_of_their_crates() {
    let mut problems = Vec::new();
    for verb in VERBS {
        for path in files(&format!("crates/{verb}/src"), "rs") {
            let text = fs::read_to_string(&path).unwrap();
            for other in VERBS.iter().filter(|other| **other != verb) {
                for (index, _) in text.match_indices(&format!("{other}::")) {
                    let before = text[..index].chars().next_back();
                    let rest = &text[index + other.len() + 2..];
                    let item: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    let is_crate = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':');
                    // A module of the other crate starts with a small letter and goes on with a path.
                    let is_inner = item.starts_with(|c: char| c.is_lowercase()) && rest[item.len()..].starts_with("::");
                    if is_crate && is_inner {
                        problems.push(format!("{} reaches into {other}::{item}", shown(&path)));
                    }
                }
            }
        }
    }
    assert_none(problems);
}

/// Words in backticks or link targets that look like a path of the repository.
fn paths_in(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let quoted = text.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for word in quoted.chain(links) {
        let word = word.trim_end_matches([',', '.', ':', ';']);
        let word = word.split(':').next().unwrap_or(""); // a line and a column may follow
        let first = word.split('/').next().unwrap_or("");
        let known = [
            "crates",
            "testdata",
            "examples",
            "suites",
            "bench",
            "docs",
            "tools",
            "python",
            "packaging",
            "editors",
            "integrations",
            ".ci",
        ];
        let document = word.ends_with(".md") && !word.contains("//");
        if (known.contains(&first) && word.contains('/') || document) && !word.contains(['<', '*', '…', '{']) {
            found.insert(word.to_string());
        }
    }
    found
}

#[test]
fn every_path_named_in_the_documents_exists() {
    let mut documents = vec![root().join("README.md"), root().join("ARCHITECTURE.md"), root().join("CONTRIBUTING.md")];
    documents.extend(files("docs", "md"));
    let mut problems = Vec::new();
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        for path in paths_in(&text) {
            let beside = document.parent().unwrap().join(&path);
            if !root().join(&path).exists() && !beside.exists() {
                problems.push(format!("{} names {path}, which does not exist", shown(&document)));
            }
        }
    }
    assert_none(problems);
}

#[test]
fn every_transcript_in_the_book_is_run() {
    let run = |path: &Path| ["docs/tour/", "docs/index.md"].iter().any(|part| shown(path).starts_with(part));
    assert_none(
        files("docs", "md")
            .iter()
            .filter(|path| !run(path) && fs::read_to_string(path).unwrap().contains("```console"))
            .map(|path| format!("{} shows a transcript, and `transcripts.rs` does not run it", shown(path)))
            .collect(),
    );
}

#[test]
fn every_make_target_named_in_the_documents_exists() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let targets: BTreeSet<&str> = makefile
        .lines()
        .filter(|l| !l.starts_with(['\t', '#', '.']))
        .filter_map(|l| l.split_once(':'))
        .map(|(t, _)| t)
        .collect();
    let mut problems = Vec::new();
    for document in
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/index.md", "docs/limitations.md", "docs/soundness.md"]
    {
        let text = fs::read_to_string(root().join(document)).unwrap();
        for part in text.split("make ").skip(1) {
            let target: String = part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            let quoted = text.contains(&format!("`make {target}")) || text.contains(&format!("$ make {target}"));
            if quoted && !targets.contains(target.as_str()) {
                problems.push(format!("{document} names `make {target}`, which the Makefile does not have"));
            }
        }
    }
    assert_none(problems);
}
