//! Whole programs: the VM against the machine's own compiler, and against the defects the corpus names.
//!
//! The corpora are described in `testdata/lang/README.md` and `testdata/findings/README.md`.

use diagnostics::SourceMap;
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, Outcome};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program of a corpus: its files and what its directives say.
struct Case {
    name: String,
    files: Vec<PathBuf>,
    stdin: Vec<u8>,
    args: Vec<String>,
    flags: Vec<String>,
}

fn corpus(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(folder)
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match (byte, byte == b'\\') {
            (_, true) => match rest.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(other) => other,
                None => b'\\',
            },
            (byte, false) => byte,
        });
    }
    bytes
}

/// Splits at blanks; double quotes keep blanks and empty arguments.
fn split_args(text: &str) -> Vec<String> {
    let mut args = Vec::new();
    let (mut current, mut quoted, mut open) = (String::new(), false, false);
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                open = true;
            }
            ' ' if !quoted => {
                if open {
                    args.push(std::mem::take(&mut current));
                }
                open = false;
            }
            c => {
                current.push(c);
                open = true;
            }
        }
    }
    if open {
        args.push(current);
    }
    args
}

fn case(root: &Path, files: Vec<PathBuf>) -> Case {
    let text = std::fs::read_to_string(&files[0]).expect("the corpus should be readable");
    let directive = |key: &str| {
        let start = format!("//~ {key}:");
        let line = text.lines().find_map(|line| line.strip_prefix(&start));
        line.map(|rest| rest.strip_prefix(' ').unwrap_or(rest).to_string()).unwrap_or_default()
    };
    Case {
        name: files[0].strip_prefix(root).unwrap_or(&files[0]).display().to_string(),
        stdin: unescaped(&directive("stdin")),
        args: split_args(&directive("args")),
        flags: directive("cflags").split_whitespace().map(String::from).collect(),
        files,
    }
}

/// The programs of a folder: each file is one, except under `link/`, where each folder is.
fn cases(folder: &str) -> Vec<Case> {
    let root = corpus(folder);
    let mut cases = Vec::new();
    let mut linked: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for (file, _) in filetest::files(&root, "c").expect("the corpus should be there") {
        let parent = file.parent().expect("a file should have a folder").to_path_buf();
        if !parent.components().any(|part| part.as_os_str() == "link") {
            cases.push(case(&root, vec![file]));
        } else if let Some((_, files)) = linked.iter_mut().find(|(known, _)| *known == parent) {
            files.push(file);
        } else {
            linked.push((parent, vec![file]));
        }
    }
    cases.extend(linked.into_iter().map(|(_, files)| case(&root, files)));
    cases
}

/// Runs a program in the VM. The error says why there is nothing to run.
fn run_in_vm(case: &Case) -> Result<(Outcome, SourceMap), String> {
    let options = cfront::preprocess::Options { flags: case.flags.clone(), ..Default::default() };
    let loaded = match cfront::load(&case.files, &options) {
        Ok(loaded) => loaded,
        Err(cfront::Failure::Program { findings, .. }) => {
            return Err(findings
                .iter()
                .map(|f| format!("{}: {}", f.rule.id(), f.message))
                .collect::<Vec<_>>()
                .join("; "));
        }
        Err(cfront::Failure::Environment(error)) => return Err(format!("{error:?}")),
    };
    let problems = ir::verify(&loaded.program);
    if let Some(problem) = problems.first() {
        return Err(format!("not well-formed: {}", problem.describe(&loaded.program)));
    }
    let image = Image::new(&loaded.program, exec::libc::LIBRARY);
    let entry = loaded.program.find_function("main").ok_or("there is no main")?;
    let input = Input { args: case.args.clone(), stdin: case.stdin.clone(), ..Input::default() };
    let run = Machine::new(&image).run(entry, &input, &Budget::default(), Options::default());
    Ok((run.outcome, loaded.program.sources))
}

fn run_natively(case: &Case) -> (i32, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a temporary folder should be possible");
    let binary = folder.path().join("program");
    let cc = std::env::var("CC").unwrap_or_else(|_| String::from("cc"));
    let compiled = Command::new(cc)
        .args(["-O0", "-w"])
        .args(&case.flags)
        .args(&case.files)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .status()
        .expect("a C compiler should be installed");
    assert!(compiled.success(), "{} should compile", case.name);
    let stdin = folder.path().join("stdin");
    std::fs::write(&stdin, &case.stdin).expect("the temporary folder should be writable");
    let output = Command::new(&binary)
        .args(&case.args)
        .current_dir(folder.path())
        .stdin(std::fs::File::open(&stdin).expect("the file was just written"))
        .stderr(Stdio::null())
        .output()
        .expect("the compiled program should start");
    (output.status.code().unwrap_or(-1), output.stdout)
}

/// Applies `check` to every case, on two threads, and gives the complaints in the order of the cases.
fn complaints(cases: &[Case], check: impl Fn(&Case) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(complaint) = check(case) {
                        found.lock().expect("no check should panic").push(format!("{}: {complaint}", case.name));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().expect("no check should panic");
    found.sort();
    found
}

fn disagreement(case: &Case) -> Option<String> {
    let (status, stdout) = run_natively(case);
    match run_in_vm(case) {
        Err(why) => Some(why),
        Ok((outcome, sources)) => match outcome.ending {
            Ending::Exited(ours) if ours == status && outcome.stdout == stdout => None,
            Ending::Exited(ours) => {
                let at = outcome.stdout.iter().zip(&stdout).position(|(a, b)| a != b);
                Some(format!("exits with {ours}, natively {status}; output differs from byte {at:?}"))
            }
            Ending::Faulted(finding) => {
                let place = sources.describe(finding.span);
                Some(format!("{} at {place}: {}", finding.rule.id(), finding.message))
            }
            other => Some(format!("{other:?}")),
        },
    }
}

#[test]
fn the_language_corpus_runs_as_natively() {
    let cases = cases("lang");
    assert!(cases.len() > 150, "the corpus should be found");
    let wrong = complaints(&cases, disagreement);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn clean_look_alikes_run_as_natively() {
    let wrong = complaints(&cases("findings/clean"), disagreement);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_planted_defect_is_reported_where_it_is() {
    let mut cases = cases("findings");
    cases.retain(|case| !case.name.starts_with("clean"));
    assert!(cases.len() > 40, "the corpus should be found");
    let wrong = complaints(&cases, |case| {
        let text = std::fs::read_to_string(&case.files[0]).expect("the corpus should be readable");
        let mut expected = text.lines().zip(1u32..).filter_map(|(line, number)| {
            line.split_once("//~ ERROR ").map(|(_, rule)| (number, rule.trim().to_string()))
        });
        let expected = expected.next().expect("a file with a defect should say where");
        let (outcome, sources) = match run_in_vm(case) {
            Ok(run) => run,
            Err(why) => return Some(why),
        };
        let Ending::Faulted(finding) = outcome.ending else { return Some(format!("{:?}", outcome.ending)) };
        let line = sources.used(finding.span).map_or(0, |region| region.start.line);
        let found = (line, finding.rule.id().to_string());
        (found != expected).then(|| format!("{found:?} instead of {expected:?}: {}", finding.message))
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
