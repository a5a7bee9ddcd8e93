//! Programs that try to get a wrong verdict, and true twins of them, so that silence is no way out.
//!
//! Every file of `testdata/attacks/CLASS/` says about itself, in comments at its start:
//!
//! ```text
//! //@ class: obligations              the folder it is in
//! //@ args: prove --overflow          the verb and its flags; the file stands behind the verb
//! //@ never: proved division-by-zero  no result has this verdict (of this kind, if one is given)
//! //@ never: exit 0                   the command does not end with this status
//! //@ twin: proved                    every result has this verdict: a true claim that we prove
//! //@ twin: proved assert             every result of this kind, and there is one
//! //@ open: proved                    a true claim that we do not prove yet: it is counted, and never refuted
//! //@ with: other.c                   another unit of the program, beside it; that file starts with `//@ unit`
//! ```
//!
//! A result is any object of the JSON document that has a `verdict`, or a `status`. What a file forbids was contradicted
//! by the compiled program, under the compiler's sanitizers, when the file was written; no improvement makes it right.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Seconds for one program; what is not decided by then is unknown.
const TIME: &str = "6";

#[derive(Debug, Default)]
struct Attack {
    class: String,
    args: Vec<String>,
    with: Vec<String>,
    never: Vec<Expected>,
    twin: Vec<Expected>,
    open: Vec<Expected>,
}

/// A verdict, and the kind of results it is about.
#[derive(Debug)]
struct Expected {
    verdict: String,
    kind: Option<String>,
}

impl Attack {
    fn read(text: &str) -> Result<Attack, String> {
        let mut attack = Attack::default();
        for line in text.lines().map_while(|line| line.strip_prefix("//@ ")) {
            let (name, value) = line.split_once(": ").ok_or(format!("`{line}` is no directive"))?;
            match name {
                "class" => attack.class = value.into(),
                "args" => attack.args = filetest::split_words(value)?,
                "with" => attack.with.push(value.into()),
                "never" => attack.never.push(Expected::read(value)),
                "twin" => attack.twin.push(Expected::read(value)),
                "open" => attack.open.push(Expected::read(value)),
                _ => return Err(format!("`{name}` is no directive of an attack")),
            }
        }
        if attack.class.is_empty() || attack.args.is_empty() {
            return Err("`class` and `args` should be given".into());
        }
        if attack.never.is_empty() && attack.twin.is_empty() && attack.open.is_empty() {
            return Err("nothing is forbidden and nothing expected".into());
        }
        Ok(attack)
    }
}

impl Expected {
    fn read(text: &str) -> Expected {
        let (verdict, kind) = match text.split_once(' ') {
            Some((verdict, kind)) => (verdict, Some(kind.trim().to_string())),
            None => (text, None),
        };
        Expected { verdict: verdict.into(), kind }
    }

    fn is_about(&self, result: &Found) -> bool {
        self.kind.as_ref().is_none_or(|kind| result.kind.as_ref() == Some(kind))
    }
}

/// One result of a document.
struct Found {
    verdict: String,
    kind: Option<String>,
    about: String,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.verdict, self.kind.as_deref().unwrap_or("result"), self.about)
    }
}

fn results(value: &Value, found: &mut Vec<Found>) {
    match value {
        Value::Object(fields) => {
            let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_string);
            if let Some(verdict) = text("verdict").or_else(|| text("status")) {
                let about = text("text").or_else(|| text("name")).unwrap_or_default();
                found.push(Found { verdict, kind: text("kind"), about });
            }
            fields.values().for_each(|inner| results(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| results(inner, found)),
        _ => {}
    }
}

/// What came out differently, and whether an open claim was proved.
fn try_attack(path: &Path, attack: &Attack) -> Result<bool, String> {
    let (verb, flags) = attack.args.split_first().expect("an attack should have a verb, because `read` asks for one");
    let output = Command::new(env!("CARGO_BIN_EXE_plumb"))
        .arg(verb)
        .arg(path)
        .args(attack.with.iter().map(|unit| path.with_file_name(unit)))
        .args(["--format", "json", "--time", TIME, "--jobs", "1", "--quiet"])
        .args(flags)
        .output()
        .map_err(|error| format!("plumb cannot be started: {error}"))?;
    let status = output.status.code().unwrap_or(-1);
    if status == 101 || status < 0 {
        return Err(format!("plumb broke: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let mut found = Vec::new();
    results(&document, &mut found);
    for never in &attack.never {
        if never.verdict == "exit" {
            if never.kind == Some(status.to_string()) {
                return Err(format!("ends with status {status}, which is wrong"));
            }
            continue;
        }
        if let Some(wrong) = found.iter().find(|result| never.is_about(result) && result.verdict == never.verdict) {
            return Err(format!("a wrong verdict: {wrong}"));
        }
    }
    for twin in &attack.twin {
        let about: Vec<&Found> = found.iter().filter(|result| twin.is_about(result)).collect();
        if about.is_empty() {
            return Err(format!("no result for `{twin:?}`"));
        }
        if let Some(other) = about.iter().find(|result| result.verdict != twin.verdict) {
            return Err(format!("a true claim that is not {}: {other}", twin.verdict));
        }
    }
    let mut solved = !attack.open.is_empty();
    for open in &attack.open {
        let mut about = found.iter().filter(|result| open.is_about(result)).peekable();
        if let Some(wrong) = found.iter().find(|result| open.is_about(result) && result.verdict == "refuted") {
            return Err(format!("a true claim is refuted: {wrong}"));
        }
        solved &= about.peek().is_some() && about.all(|result| result.verdict == open.verdict);
    }
    Ok(solved)
}

#[test]
fn no_attack_gets_a_wrong_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/attacks");
    let files: Vec<PathBuf> =
        filetest::files(&folder, "c").expect("the attacks should be there").into_iter().map(|(path, _)| path).collect();
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let counts = Mutex::new([0usize; 3]);
    let solved = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
                    let text = std::fs::read_to_string(path).unwrap_or_default();
                    if text.starts_with("//@ unit") {
                        continue;
                    }
                    let outcome = Attack::read(&text).and_then(|attack| {
                        if !name.starts_with(&format!("{}/", attack.class)) {
                            return Err(format!("the class is `{}`, and the folder is another", attack.class));
                        }
                        let mut counts = counts.lock().expect("no thread should panic with the lock");
                        counts[0] += usize::from(!attack.never.is_empty());
                        counts[1] += usize::from(!attack.twin.is_empty());
                        counts[2] += usize::from(!attack.open.is_empty());
                        drop(counts);
                        try_attack(path, &attack)
                    });
                    match outcome {
                        Ok(false) => {}
                        Ok(true) => solved.lock().expect("no thread should panic with the lock").push(name),
                        Err(why) => wrong.lock().expect("no thread should panic with the lock").push((name, why)),
                    }
                }
            });
        }
    });
    let [never, twins, open] = counts.into_inner().expect("no thread should panic with the lock");
    println!("{never} with something forbidden, {twins} true twins, {open} true claims that are open");
    for name in solved.into_inner().expect("no thread should panic with the lock") {
        println!("{name}: an open claim is decided now; `open` can become `twin`");
    }
    let mut wrong = wrong.into_inner().expect("no thread should panic with the lock");
    wrong.sort();
    let mut message = String::new();
    for (name, why) in &wrong {
        let _ = writeln!(message, "{name}: {why}");
    }
    assert!(wrong.is_empty(), "{} of {} attacks:\n{message}", wrong.len(), files.len());
}
