//! What the build takes from others: licences that go with ours, one version of each crate, one source. `deny.toml` says
//! what is allowed, and why; `make deny` has cargo-deny read the same file.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Whether an expression of SPDX allows a use under the given licences: any alternative of which all parts are allowed.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let part = |licence: &str| allowed.contains(licence.trim().trim_matches(['(', ')']));
    let expression = expression.replace('/', " OR ");
    match expression.split_once(") AND ") {
        Some((left, right)) => is_allowed(left.trim_start_matches('('), allowed) && is_allowed(right, allowed),
        None => expression.split(" OR ").any(|all| all.split(" AND ").all(part)),
    }
}

fn strings(table: &toml::Table, section: &str, key: &str) -> BTreeSet<String> {
    let name = |value: &toml::Value| value.as_str().or_else(|| value.get("crate")?.as_str()).map(str::to_string);
    table[section][key].as_array().unwrap().iter().filter_map(name).collect()
}

#[test]
fn dependencies_are_what_deny_toml_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rules: toml::Table = std::fs::read_to_string(root.join("deny.toml")).unwrap().parse().unwrap();
    let (allowed, skipped) = (strings(&rules, "licenses", "allow"), strings(&rules, "bans", "skip"));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut problems = Vec::new();
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let Some(source) = package["source"].as_str() else { continue };
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_allowed(licence, &allowed) {
            problems.push(format!("{name} has the licence {licence}, which deny.toml does not allow"));
        }
        if !source.starts_with("registry+") {
            problems.push(format!("{name} comes from {source}"));
        }
        versions.entry(name.to_string()).or_default().insert(package["version"].as_str().unwrap().to_string());
    }
    assert!(versions.len() > 50, "the lock file should name our dependencies");
    for (name, versions) in &versions {
        if versions.len() > 1 && !skipped.contains(name) {
            problems.push(format!("there are several versions of {name}: {versions:?}"));
        }
    }
    for name in skipped {
        if versions.get(&name).is_none_or(|versions| versions.len() < 2) {
            problems.push(format!("deny.toml excuses two versions of {name}, of which there is one"));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn licence_expressions_are_read() {
    let allowed = BTreeSet::from(["MIT".to_string(), "Zlib".to_string()]);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("Unlicense/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR Apache-2.0) AND Zlib", true),
        ("(MIT OR Apache-2.0) AND GPL-2.0", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
    }
}

/// What a crate of that name and version is known by.
type Known = (String, String, String);

fn listed(path: &Path, key: &str) -> BTreeSet<Known> {
    let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let crates = table[key].as_array().unwrap().iter();
    let text = |entry: &toml::Value, name: &str| entry.get(name)?.as_str().map(str::to_string);
    crates.filter_map(|entry| Some((text(entry, "name")?, text(entry, "version")?, text(entry, "checksum")?))).collect()
}

#[test]
fn every_crate_is_on_record() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let locked = listed(&root.join("Cargo.lock"), "package");
    let recorded = listed(&root.join("docs/decisions/supply-chain.toml"), "crate");
    let unseen: Vec<&Known> = locked.difference(&recorded).collect();
    let gone: Vec<&Known> = recorded.difference(&locked).collect();
    assert!(
        unseen.is_empty() && gone.is_empty(),
        "tools/supply-chain should be run: {unseen:?} are not on record, {gone:?} are no longer used"
    );
}
