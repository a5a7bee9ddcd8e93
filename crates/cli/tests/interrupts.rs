//! Runs that are interrupted end with their own status and leave nothing behind but the result that was asked for.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ENDLESS: &str = "int main(void) { volatile unsigned x = 0; for (;;) x++; }\n";

/// Starts a run whose temporary files all go to `folder`.
fn start(folder: &Path, source: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_plumb"))
        .arg("run")
        .args(args)
        .arg(source)
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("plumb should start")
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder should be there");
    entries.map(|entry| entry.expect("an entry should be read").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn signals_and_limits_leave_no_file_behind() {
    let place = tempfile::tempdir().expect("a folder should be made");
    let source = place.path().join("endless.c");
    std::fs::write(&source, ENDLESS).expect("the program should be written");
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().expect("a folder should be made");
        let result = place.path().join(format!("{signal}.json"));
        let args = ["--engine", "native", "--time", "300", "--format", "json", "-o", result.to_str().unwrap()];
        let mut child = start(folder.path(), &source, &args);
        let begun = Instant::now();
        while !entries(folder.path()).iter().any(|name| name.starts_with("plumb-run-")) {
            assert!(begun.elapsed() < Duration::from_secs(120), "the run should begin");
            assert_eq!(child.try_wait().expect("the child should be ours"), None, "the run should not end by itself");
            std::thread::yield_now();
        }
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "the signal should be sent");
        let status = child.wait().expect("the child should end");
        assert_eq!(status.code(), Some(130), "SIG{signal}");
        assert_eq!(entries(folder.path()), Vec::<String>::new(), "SIG{signal}");
        let written = std::fs::read_to_string(&result).expect("the partial result should be written");
        assert!(written.starts_with('{') && written.trim_end().ends_with('}'), "{written}");
    }
    let folder = tempfile::tempdir().expect("a folder should be made");
    let status =
        start(folder.path(), &source, &["--engine", "native", "--time", "1"]).wait().expect("the child should end");
    assert_eq!(status.code(), Some(3));
    assert_eq!(entries(folder.path()), Vec::<String>::new());
    assert_eq!(entries(place.path()).len(), 3, "the source and two results: {:?}", entries(place.path()));
}
