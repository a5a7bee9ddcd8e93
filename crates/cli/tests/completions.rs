//! Completions and manual pages name every command and flag there is.

use std::path::Path;
use std::process::{Command, Output};

/// The commands: each has a page in the reference, which another test compares with the command itself.
fn verbs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let pages = std::fs::read_dir(folder).expect("the reference should be there").flatten();
    let names = pages.filter_map(|page| page.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    names.filter(|name| name != "plumb" && name != "rules").collect()
}

fn plumb(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_plumb")).args(args).output().expect("plumb should start")
}

fn text(args: &[&str]) -> String {
    let output = plumb(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output should be text")
}

#[test]
fn every_shell_learns_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&["completions", shell]);
        for verb in verbs() {
            assert!(script.contains(&verb), "{shell} should know {verb}");
        }
        assert!(script.contains("all-branches"), "{shell} should know flags");
    }
    assert_eq!(plumb(&["completions", "cmd.exe"]).status.code(), Some(2));
}

#[test]
fn bash_takes_its_script() {
    let folder = tempfile::tempdir().expect("a temporary folder should be had");
    let script = folder.path().join("plumb.bash");
    text(&["completions", "bash", "-o", script.to_str().expect("the path should be text")]);
    let status = Command::new("bash").arg("-n").arg(&script).status().expect("bash should start");
    assert!(status.success());
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a temporary folder should be had");
    text(&["man", "-o", folder.path().to_str().expect("the path should be text")]);
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .expect("the folder should be there")
        .map(|entry| entry.expect("an entry should be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut expected: Vec<String> = verbs().iter().map(|verb| format!("plumb-{verb}.1")).collect();
    expected.push("plumb.1".to_string());
    expected.sort();
    assert_eq!(names, expected);
    let page = text(&["man", "reach"]);
    assert!(page.contains(".TH plumb-reach 1"), "{page}");
    // Flags of its own and those that all share.
    assert!(page.contains("all\\-branches") && page.contains("seed"), "{page}");
    assert_eq!(plumb(&["man", "nonsense"]).status.code(), Some(2));
}
