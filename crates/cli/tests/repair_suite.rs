//! The suite of faulty programs: the list fits the programs, and two of them are repaired from end to end. All of it runs
//! with `make suite-repair`.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/repair")
}

fn faults() -> Vec<Value> {
    let text = std::fs::read_to_string(suite().join("faults.json")).expect("the list of faults should be there");
    serde_json::from_str(&text).expect("the list of faults should be JSON")
}

/// The text of a faulty version.
fn faulty(fault: &Value) -> String {
    let program = fault["program"].as_str().unwrap();
    let mut text = std::fs::read_to_string(suite().join("programs").join(format!("{program}.c"))).unwrap();
    for edit in fault["edits"].as_array().unwrap() {
        let (before, after) = (edit[0].as_str().unwrap(), edit[1].as_str().unwrap());
        assert_eq!(text.matches(before).count(), 1, "{}: `{before}` should stand once", fault["id"]);
        text = text.replacen(before, after, 1);
    }
    text
}

#[test]
fn every_fault_is_an_edit_of_its_program() {
    let faults = faults();
    let programs: std::collections::BTreeSet<&str> = faults.iter().filter_map(|f| f["program"].as_str()).collect();
    assert!(faults.len() >= 60 && programs.len() >= 12, "{} faults of {} programs", faults.len(), programs.len());
    for class in ["operator", "constant", "missing", "multiple"] {
        assert!(faults.iter().filter(|fault| fault["class"] == class).count() >= 5, "{class}");
    }
    for fault in &faults {
        faulty(fault);
    }
}

#[test]
fn faulty_functions_are_repaired_and_the_file_is_left_alone_without_apply() {
    let all = faults();
    let folder = tempfile::tempdir().unwrap();
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    let mut tests = String::from("a,b,expected\n");
    for a in [-12, -5, 0, 1, 6, 9, 30] {
        for b in [-9, 0, 1, 4, 6, 15, 30] {
            tests += &format!("{a},{b},{}\n", gcd(a, b));
        }
    }
    let csv = folder.path().join("tests.csv");
    std::fs::write(&csv, tests).unwrap();
    for id in ["gcd-1", "gcd-4"] {
        let fault = all.iter().find(|fault| fault["id"] == id).unwrap();
        let text = faulty(fault);
        let source = folder.path().join(format!("{id}.c"));
        std::fs::write(&source, &text).unwrap();
        let plumb = |more: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
            command.args(["repair", "--format", "json", "--all", "1"]).arg(&source).arg("--tests").arg(&csv).args(more);
            let output = command.output().expect("plumb should start");
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            let document: Value = serde_json::from_slice(&output.stdout).expect("the answer should be JSON");
            document["result"].clone()
        };
        let result = plumb(&[]);
        assert_eq!(result["verdict"], "repaired", "{result}");
        let patch = &result["patches"][0];
        assert_eq!(patch["after"], fault["edits"][0][0].as_str().unwrap().trim(), "{result}");
        assert_eq!(patch["tests_passed"], patch["tests_total"]);
        assert_eq!(std::fs::read_to_string(&source).unwrap(), text, "only --apply may edit");
        plumb(&["--apply"]);
        let right = std::fs::read_to_string(suite().join("programs/gcd.c")).unwrap();
        assert_eq!(std::fs::read_to_string(&source).unwrap(), right);
        assert_eq!(std::fs::read_to_string(folder.path().join(format!("{id}.c.orig"))).unwrap(), text);
        assert_eq!(plumb(&[])["verdict"], "nothing-to-repair");
    }
}
