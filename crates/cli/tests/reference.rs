//! The reference in the book is what the command says of itself: a page for each command, and the catalogue of rules.
//! `UPDATE=1 cargo test -p cli --test reference` writes the pages.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn plumb(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    let output = command.args(args).env_remove("COLUMNS").output().expect("plumb should start");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("help should be text")
}

/// Lines without the blanks at their ends, which clap leaves where a word did not fit.
fn trimmed(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The commands, as the help of `plumb` lists them.
fn commands(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

fn pages() -> BTreeMap<String, String> {
    let help = plumb(&["--help"]);
    let page = |title: &str, help: &str| format!("# {title}\n\n```text\n{}```\n", trimmed(help));
    let mut pages = BTreeMap::from([("plumb.md".to_string(), page("plumb", &help))]);
    for command in commands(&help) {
        let text = page(&format!("plumb {command}"), &plumb(&[command, "--help"]));
        pages.insert(format!("{command}.md"), text);
    }
    pages.insert("rules.md".to_string(), rules());
    pages
}

fn rules() -> String {
    let document: Value =
        serde_json::from_str(&plumb(&["explain", "--format", "json"])).expect("the document should be JSON");
    let rules = document["result"]["rules"].as_array().expect("explain should list rules");
    let mut page =
        "# Rules\n\nEvery kind of finding, with its severity. `plumb explain RULE` says the same.\n".to_string();
    for rule in rules {
        let text = |name: &str| rule[name].as_str().expect("a rule should be described by texts").to_string();
        page += &format!(
            "\n## `{}`\n\n*{}*: {}.\n\n{}\n",
            text("id"),
            text("severity"),
            text("summary"),
            text("explanation")
        );
    }
    page
}

#[test]
fn the_reference_is_what_the_command_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let pages = pages();
    assert!(pages.len() > 12, "{:?}", pages.keys());
    let update = std::env::var_os("UPDATE").is_some();
    let mut stale = Vec::new();
    for (name, text) in &pages {
        let path = folder.join(name);
        if update {
            std::fs::write(&path, text).expect("the page should be written");
        } else if std::fs::read_to_string(&path).unwrap_or_default() != *text {
            stale.push(name.as_str());
        }
    }
    let there = std::fs::read_dir(&folder).expect("the reference should be there").flatten();
    let names = there.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let extra: Vec<String> = names.filter(|name| !pages.contains_key(name)).collect();
    assert!(stale.is_empty(), "UPDATE=1 should be set, to write {stale:?} anew");
    assert!(extra.is_empty(), "{extra:?} should not be in docs/reference, because no command has the name");
}

#[test]
fn the_summary_lists_every_page() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("the summary should be there");
    for folder in ["", "tour", "how", "reference", "decisions"] {
        for entry in std::fs::read_dir(docs.join(folder)).expect("the folder should be there").flatten() {
            let name = Path::new(folder).join(entry.file_name()).display().to_string();
            if name.ends_with(".md") && name != "SUMMARY.md" {
                assert!(summary.contains(&format!("]({name})")), "docs/SUMMARY.md should list {name}");
            }
        }
    }
}
