//! Runs that are interrupted end with their own status and leave nothing behind but the result that was asked for.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ENDLESS: &str = "int main(void) { volatile unsigned x = 0; for (;;) x++; }\n";

/// Starts a command whose temporary files all go to `folder`.
fn start(folder: &Path, verb: &str, source: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_plumb"))
        .arg(verb)
        .args(args)
        .arg(source)
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("plumb should start")
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal should be sent");
}

/// Whether a process handles SIGINT already, by what the kernel says of it.
fn is_listening(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|caught| caught & 0b10 != 0)
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
        let mut child = start(folder.path(), "run", &source, &args);
        let begun = Instant::now();
        while !entries(folder.path()).iter().any(|name| name.starts_with("plumb-run-")) {
            assert!(begun.elapsed() < Duration::from_secs(120), "the run should begin");
            assert_eq!(child.try_wait().expect("the child should be ours"), None, "the run should not end by itself");
            std::thread::yield_now();
        }
        send(signal, &child);
        let status = child.wait().expect("the child should end");
        assert_eq!(status.code(), Some(130), "SIG{signal}");
        assert_eq!(entries(folder.path()), Vec::<String>::new(), "SIG{signal}");
        let written = std::fs::read_to_string(&result).expect("the partial result should be written");
        assert!(written.starts_with('{') && written.trim_end().ends_with('}'), "{written}");
    }
    let folder = tempfile::tempdir().expect("a folder should be made");
    let status = start(folder.path(), "run", &source, &["--engine", "native", "--time", "1"])
        .wait()
        .expect("the child should end");
    assert_eq!(status.code(), Some(3));
    assert_eq!(entries(folder.path()), Vec::<String>::new());
    assert_eq!(entries(place.path()).len(), 3, "the source and two results: {:?}", entries(place.path()));
}

/// Sums of three cubes: nobody knows whether this claim holds for all integers, and Z3 thinks about it for long.
const HARD: &str = "#include <assert.h>\n\
    int f(long long x, long long y, long long z) { assert(x*x*x + y*y*y + z*z*z != 114); return 0; }\n";

/// Reading and running the program takes a tenth of it; what follows is the solver.
const WELL_INTO_THE_SEARCH: u64 = 150;

/// What a process has used, in hundredths of a second.
fn processor_time(child: &Child) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    // User and system time are the fourteenth and fifteenth field; the name is the second.
    after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}

#[test]
fn an_interrupt_reaches_us_while_the_solver_works() {
    let place = tempfile::tempdir().expect("a folder should be made");
    let source = place.path().join("hard.c");
    std::fs::write(&source, HARD).expect("the program should be written");
    let mut child = start(place.path(), "prove", &source, &["--entry", "f", "--time", "3000"]);
    while processor_time(&child) < WELL_INTO_THE_SEARCH {
        assert_eq!(child.try_wait().expect("the child should be ours"), None, "the proof should not end by itself");
        std::thread::yield_now();
    }
    send("INT", &child);
    let status = child.wait().expect("the child should end");
    assert_eq!(status.code(), Some(130));
}

#[test]
fn an_interrupted_check_up_says_what_it_did_not_ask() {
    let place = tempfile::tempdir().expect("a folder should be made");
    let source = place.path().join("endless.c");
    // More questions than are begun before the signal comes.
    let functions: String = (0..300).map(|k| format!("int f{k}(int x) {{ for (;;) x ^= {k}; }}\n")).collect();
    std::fs::write(&source, ENDLESS.to_string() + &functions).expect("the program should be written");
    let result = place.path().join("result.json");
    let args = ["--time", "3000", "--format", "json", "-o", result.to_str().unwrap()];
    // Stopped early it has read nothing yet, and says that it was interrupted all the same.
    for delay in [0, 200, 1_000, 5_000, 25_000] {
        let mut child = start(place.path(), "check-up", &source, &args);
        while !is_listening(&child) {
            assert_eq!(child.try_wait().expect("the child should be ours"), None, "it should not end by itself");
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(delay));
        send("INT", &child);
        let status = child.wait().expect("the child should end");
        assert_eq!(status.code(), Some(130));
        let written = std::fs::read(&result).expect("the partial result should be written");
        let document: serde_json::Value = serde_json::from_slice(&written).expect("the partial result should be JSON");
        assert_eq!(document["stopped"], "interrupted");
        let questions = document["result"]["questions"].as_array().expect("there should be questions");
        if questions.is_empty() {
            continue;
        }
        let begun = questions.iter().filter(|question| question["ended"] != "not-begun").count();
        assert!(begun < questions.len(), "{questions:?}");
        assert!(document["result"]["open"].to_string().contains("interrupted"), "{:#}", document["result"]["open"]);
        return;
    }
    panic!("the check-up should have come to its questions");
}
