//! What a check-up says of small files: every question is there, with its answer or the reason why there is none.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn plumb(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(args).stdin(Stdio::null()).output().expect("plumb should start")
}

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a temporary folder should be had"))
    }

    fn file(&self, text: &str) -> PathBuf {
        let path = self.0.path().join("program.c");
        std::fs::write(&path, text).expect("the program should be written");
        path
    }
}

/// The exit status, and the phases as `verb entry: stopped`.
fn check_up(file: &Path, flags: &[&str]) -> (Option<i32>, Vec<Value>) {
    let mut args = vec!["check-up", file.to_str().expect("the path should be text"), "--format", "json"];
    args.extend(flags);
    let output = plumb(&args);
    let document: Value = serde_json::from_slice(&output.stdout).expect("the document should be JSON");
    let phases = document["result"]["phases"].as_array().expect("a check-up should have phases").clone();
    (output.status.code(), phases)
}

fn shown(phases: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_string();
    phases.iter().map(|p| format!("{} {}: {}", text(&p["name"]), text(&p["entry"]), text(&p["stopped"]))).collect()
}

#[test]
fn every_function_that_others_may_call_is_an_entry() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "static int half(int x) { return x / 2; }\n\
         int positive(int x) { return x > 0 ? half(x) : 0; }\n\
         int first(const int *p) { return p[0]; }\n",
    );
    let (status, phases) = check_up(&file, &[]);
    assert_eq!(status, Some(3), "{:?}", shown(&phases));
    assert_eq!(
        shown(&phases),
        [
            "check -: done",
            "infer positive: done",
            "prove positive: done",
            "reach positive: done",
            "symmetry positive: done",
            "infer first: refused",
            "prove first: refused",
            "reach first: done",
            "symmetry first: done",
            "symmetry half: done",
        ]
    );
    for phase in &phases {
        assert!(phase["command"].as_str().is_some_and(|command| command.starts_with("plumb ")), "{phase}");
        let (stopped, why) = (&phase["stopped"], &phase["why"]);
        assert!(stopped == "done" || why.is_string(), "what is not done should say why: {phase}");
    }
    assert_eq!(phases[3]["verdicts"]["reached"], 2, "{}", phases[3]);
    assert!(phases[1]["result"]["locations"].is_array(), "{}", phases[1]);
}

#[test]
fn a_program_is_run_and_its_functions_are_permuted() {
    let scratch = Scratch::new();
    let file = scratch.file(
        "static int sum(int a, int b) { return a / 2 + b / 2; }\n\
         int main(void) { int x[2] = {1, 2}; return sum(x[0], x[2]); }\n",
    );
    let (status, phases) = check_up(&file, &[]);
    assert_eq!(status, Some(1), "{:?}", shown(&phases));
    assert_eq!(phases[1]["name"], "run");
    assert_eq!(phases[1]["result"]["ending"]["rule"], "out-of-bounds", "{}", phases[1]);
    let last = phases.last().expect("there should be phases");
    assert_eq!((&last["name"], &last["entry"]), (&Value::from("symmetry"), &Value::from("sum")));
    assert_eq!(last["verdicts"]["holds"], 1, "{last}");
}

#[test]
fn questions_that_there_is_no_time_for_are_named() {
    let scratch = Scratch::new();
    let file = scratch.file("int mainQ(int x) { return x; }\n");
    let (status, phases) = check_up(&file, &["--time", "0.01"]);
    assert_eq!(status, Some(3));
    assert_eq!(
        shown(&phases)[1..],
        ["infer mainQ: not-begun", "prove mainQ: not-begun", "reach mainQ: not-begun", "symmetry mainQ: not-begun"]
    );
}

#[test]
fn what_cannot_be_asked_is_a_mistake_of_the_invocation() {
    let scratch = Scratch::new();
    let file = scratch.file("int f(int x) { return x; }\n");
    let file = file.to_str().expect("the path should be text");
    assert_eq!(plumb(&["check-up", file, "--entry", "g"]).status.code(), Some(2));
    assert_eq!(plumb(&["check-up", "no/such/file.c"]).status.code(), Some(2));
    assert_eq!(plumb(&["check-up"]).status.code(), Some(2));
}
