//! A slice of `make soundness`: random programs over all of C, whose compiled runs contradict no verdict.

use std::path::Path;
use std::process::Command;

#[test]
fn no_verdict_is_contradicted_by_a_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("python3")
        .arg(root.join("tools/attack/run"))
        .args(["--plumb", env!("CARGO_BIN_EXE_plumb"), "--count", "32", "--batch", "16", "--milliseconds", "3000"])
        .output()
        .expect("python3 should start, as the other scripts need it");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("false claim: "), "some claims should be false:\n{said}");
}
