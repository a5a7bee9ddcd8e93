//! What a newcomer types first: nothing at all, a file that is no C, a program through a pipe.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn plumb(args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plumb"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("plumb should start");
    // A command that does not read its input may be gone before it is written.
    let _ = child.stdin.take().expect("the input should be a pipe").write_all(stdin.as_bytes());
    child.wait_with_output().expect("plumb should end")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_arguments_it_says_what_to_do_next() {
    let output = plumb(&[], "");
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("plumb demo") && text(&output.stdout).contains("plumb check-up FILE.c"));
}

#[test]
fn other_languages_are_refused_by_name() {
    for (name, language) in [("a.cpp", "C++"), ("b.C", "C++"), ("c.rs", "Rust"), ("d.mm", "Objective-C")] {
        let output = plumb(&["check", name], "");
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.contains(&format!("{name} is {language}; plumb reads C")), "{said}");
    }
}

#[test]
fn a_program_may_come_through_a_pipe() {
    let source = "#include \"examples/conform/messages.h\"\n#include <assert.h>\nint main(void) { int x = 2147483647; x++; return x; }\n";
    let output = plumb(&["run", "-"], source);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("stdin.c:3:"), "{}", text(&output.stderr));
    let output = plumb(&["run", "-", "--format", "json"], source);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the document should be JSON");
    assert_eq!(document["sources"][0]["file"], "stdin.c");
    assert_eq!(document["result"]["findings"][0]["file"], "stdin.c");
    // The compiled program too, which is compiled from the text again.
    let assertion = "#include <assert.h>\nint mainQ(int x) { assert(x != 7); return x; }\n";
    let output = plumb(&["prove", "-"], assertion);
    assert!(text(&output.stdout).contains("replayed on the compiled program"), "{}", text(&output.stdout));
    let output = plumb(&["check", "-", "-"], source);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn manual_pages_carry_the_version() {
    let page = text(&plumb(&["man", "infer"], "").stdout);
    assert!(page.contains(concat!("\"plumb ", env!("CARGO_PKG_VERSION"), "\"")), "{page}");
}

#[test]
fn shells_complete_the_names_of_rules() {
    // Those of fish have no words for what has no flag.
    for shell in ["bash", "zsh"] {
        assert!(text(&plumb(&["completions", shell], "").stdout).contains("signed-overflow"), "{shell}");
    }
}

#[test]
fn rows_that_are_followed_say_what_holds_and_what_breaks_it() {
    let rows: String =
        (0..200).map(|n| format!("{n},{},{}\n", 3 * n % 17, n + 3 * n % 17 + i64::from(n == 150))).collect();
    let stream = format!("a,b,sum\n{rows}");
    let output = plumb(&["infer", "-q", "--follow", "-"], &stream);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("rows: after 32 rows"), "{said}");
    assert!(said.contains("rows: row 151 breaks ") && said.contains(": a = 150, b = 8, sum = 159"), "{said}");
    let output = plumb(&["infer", "--follow", "-", "--format", "json"], &stream);
    let events = text(&output.stdout);
    let broken = events.lines().find(|line| line.contains("\"broken\"")).expect("an event should be told");
    let broken: serde_json::Value = serde_json::from_str(broken).expect("an event should be an object on a line");
    assert_eq!((&broken["row"], &broken["values"]["sum"]), (&serde_json::json!(151), &serde_json::json!("159")));
    // A file has no end of its own; the time that is given ends it, in the middle of a line.
    let file = tempfile::NamedTempFile::with_suffix(".csv").expect("a file should be made");
    std::fs::write(file.path(), stream + "200,1").expect("the rows should be written");
    let path = file.path().to_str().expect("the path should be a text");
    let output = plumb(&["infer", "-q", "--follow", path, "--time", "0.5"], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    for wrong in [&["infer", "--follow", "a.csv", "b.csv"][..], &["infer", "--follow", "-", "--entry", "f"]] {
        assert_eq!(plumb(wrong, "").status.code(), Some(2));
    }
}

#[test]
fn without_an_entry_every_function_is_looked_at() {
    let program = "int twice(int x) { int y = 0; if (x > -1000 && x < 1000) y = 2 * x; return y; }\n\
                   static unsigned low(unsigned n) { return n % 8; }\n\
                   unsigned both(unsigned n) { return low(n) + 1; }\n";
    let output = plumb(&["infer", "-q", "--no-prove", "-"], program);
    let said = text(&output.stdout);
    for line in [1, 2, 3] {
        assert!(said.contains(&format!("return at line {line}")), "{said}");
    }
    assert!(said.contains("result <= 7") && said.contains("result <= 8"), "{said}");
}
