//! Tests as files: what a test file says about itself, and how what happened is compared with it.
//!
//! A test file is an ordinary source file with comments that begin with `//~`.
//!
//! - *Directives*, `//~ name: value`, one to a line: `stdin` (with the escapes of C), `args` and `cflags` (words as in
//!   a shell), `skip` (the reason why an engine cannot run it; `skip vm`, `skip native` for one engine), and whatever
//!   else a test asks for.
//! - *Expectations*, `//~ ERROR rule` behind the line they are about: something is reported there and nothing
//!   else is. An expectation that has a line to itself is about the file as a whole. `//~^ ERROR rule` is about the
//!   line above, one line more for each further `^`.
//! - *Golden files*: the whole output, in a file beside the test. With `PLUMB_BLESS=1` in the environment they are
//!   written instead of compared; read the difference before you commit it.
//!
//! ```no_run
//! filetest::run("../../testdata/ir/verify", "ir", |file| {
//!     let reported = vec![filetest::Report { line: 0, rule: "label".into() }];
//!     filetest::compare(file, &reported)
//! });
//! ```
//!
//! Files are visited in sorted order, and all of them, so that one run shows every failure.

mod golden;
mod words;

pub use golden::{bless_requested, check_golden, difference};
pub use words::{split_words, unescape};

use std::fs;
use std::path::{Path, PathBuf};

/// A file and what it says about itself.
#[derive(Clone, Debug)]
pub struct TestFile {
    pub path: PathBuf,
    /// The path below the folder of the tests, with `/`.
    pub name: String,
    pub text: String,
    pub directives: Vec<Directive>,
    pub expectations: Vec<Expectation>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    pub name: String,
    /// As written, after one space.
    pub value: String,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Expectation {
    /// The line it is about, from 1; 0 for the file as a whole.
    pub line: u32,
    /// The word in capitals: `ERROR`.
    pub kind: String,
    /// What follows.
    pub rule: String,
}

/// Something that was reported.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Report {
    /// From 1; 0 for the file as a whole.
    pub line: u32,
    pub rule: String,
}

/// How a test of one file ends: the message says what was expected and what came.
pub type Outcome = Result<(), String>;

impl TestFile {
    pub fn read(path: &Path, name: &str) -> Result<TestFile, String> {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        // Sources in other encodings are welcome; only the directives need to be readable.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (directives, expectations) = parse(&text)?;
        Ok(TestFile { path: path.to_path_buf(), name: name.to_string(), text, directives, expectations })
    }

    /// The value of the first directive of that name.
    pub fn directive(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.directives.iter().filter(move |d| d.name == name).map(|d| d.value.as_str())
    }

    /// The words of all directives of that name, split as a shell would.
    pub fn words(&self, name: &str) -> Result<Vec<String>, String> {
        let lists: Result<Vec<_>, _> = self.all(name).map(split_words).collect();
        Ok(lists.map_err(|error| format!("{name}: {error}"))?.concat())
    }

    /// What the program reads: the `stdin` directives, joined.
    pub fn stdin(&self) -> Result<Vec<u8>, String> {
        let parts: Result<Vec<_>, _> = self.all("stdin").map(unescape).collect();
        Ok(parts.map_err(|error| format!("stdin: {error}"))?.concat())
    }

    /// Why this engine should not run the file.
    pub fn skip(&self, engine: &str) -> Option<&str> {
        self.directive("skip").or_else(|| self.directive(&format!("skip {engine}")))
    }
}

fn parse(text: &str) -> Result<(Vec<Directive>, Vec<Expectation>), String> {
    let (mut directives, mut expectations) = (Vec::new(), Vec::new());
    for (number, line) in (1u32..).zip(text.lines()) {
        let Some((before, comment)) = line.split_once("//~") else { continue };
        let up = comment.bytes().take_while(|b| *b == b'^').count() as u32;
        let comment = comment[up as usize..].trim_start();
        let word = comment.split_whitespace().next().unwrap_or("");
        if !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase()) {
            let rule = comment[word.len()..].trim().to_string();
            let line = match up {
                0 if before.trim().is_empty() => 0,
                up => number.checked_sub(up).filter(|n| *n > 0).ok_or(format!("line {number}: `^` leads nowhere"))?,
            };
            expectations.push(Expectation { line, kind: word.to_string(), rule });
        } else if let Some((name, value)) = comment.split_once(':')
            && up == 0
        {
            let value = value.strip_prefix(' ').unwrap_or(value).to_string();
            directives.push(Directive { name: name.trim().to_string(), value });
        } else {
            return Err(format!("line {number}: a `//~` comment should be `name: value` or `KIND rule`"));
        }
    }
    expectations.sort();
    Ok((directives, expectations))
}

/// The files below a folder whose names end in `.extension`, as path and name, sorted by name.
pub fn files(folder: &Path, extension: &str) -> Result<Vec<(PathBuf, String)>, String> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
            let file_name = entry.file_name().to_string_lossy().into_owned();
            let name = if prefix.is_empty() { file_name } else { format!("{prefix}/{file_name}") };
            let path = entry.path();
            if path.is_dir() {
                open.push((path, name));
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push((path, name));
            }
        }
    }
    found.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(found)
}

/// The programs below a folder: each file is one, but in a folder where a file is named `a`, all files are units of
/// one program that goes by the folder's name, `a` first.
pub fn programs(folder: &Path, extension: &str) -> Result<Vec<(Vec<PathBuf>, String)>, String> {
    let mut programs: Vec<(Vec<PathBuf>, String)> = Vec::new();
    let first_unit = format!("a.{extension}");
    for (path, name) in files(folder, extension)? {
        let shared = path.parent().filter(|folder| folder.join(&first_unit).exists());
        match (shared, name.rsplit_once('/')) {
            (Some(_), Some((folder_name, _))) => match programs.last_mut() {
                Some((units, last)) if last == folder_name => units.push(path),
                _ => programs.push((vec![path], folder_name.to_string())),
            },
            _ => programs.push((vec![path], name)),
        }
    }
    Ok(programs)
}

/// Whether exactly the expected things were reported, each as often as expected.
pub fn compare(file: &TestFile, reports: &[Report]) -> Outcome {
    let mut expected: Vec<Report> =
        file.expectations.iter().map(|e| Report { line: e.line, rule: e.rule.clone() }).collect();
    let mut actual = reports.to_vec();
    expected.sort();
    actual.sort();
    let missing = subtract(&expected, &actual);
    let surplus = subtract(&actual, &expected);
    if missing.is_empty() && surplus.is_empty() {
        return Ok(());
    }
    let list = |what: &str, reports: &[Report]| -> String {
        reports.iter().map(|r| format!("\n  {what}: line {}: {}", r.line, r.rule)).collect()
    };
    Err(format!("{}{}", list("expected and not reported", &missing), list("reported and not expected", &surplus)))
}

/// What is in the first list and not in the second, counting copies.
fn subtract(from: &[Report], what: &[Report]) -> Vec<Report> {
    let mut rest = what.to_vec();
    let mut left = Vec::new();
    for report in from {
        match rest.iter().position(|r| r == report) {
            Some(index) => {
                rest.swap_remove(index);
            }
            None => left.push(report.clone()),
        }
    }
    left
}

/// Calls `check` on every file of the folder and panics in the end if any failed, naming them all. A folder without
/// such files fails too, since a test that looks at nothing cannot.
pub fn run(folder: impl AsRef<Path>, extension: &str, mut check: impl FnMut(&TestFile) -> Outcome) {
    let folder = folder.as_ref();
    let files = files(folder, extension).unwrap_or_else(|error| panic!("{error}"));
    assert!(!files.is_empty(), "there should be .{extension} files in {}", folder.display());
    let failures: Vec<String> = files
        .iter()
        .filter_map(|(path, name)| {
            let outcome = TestFile::read(path, name).and_then(|file| check(&file));
            outcome.err().map(|message| format!("\n{name}: {message}"))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} files failed:{}", failures.len(), files.len(), failures.concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_file(text: &str) -> TestFile {
        let (directives, expectations) = parse(text).unwrap();
        TestFile { path: "t.c".into(), name: "t.c".into(), text: text.into(), directives, expectations }
    }

    #[test]
    fn directives_and_expectations_are_found() {
        let file = test_file(
            "// A comment.\n//~ args: one \"two words\"\n//~ stdin: a\\n b\n//~ skip vm: no threads\n\
             x = 1; //~ ERROR overflow\n//~^ ERROR null\n//~ ERROR everywhere\n",
        );
        assert_eq!(file.words("args").unwrap(), ["one", "two words"]);
        assert_eq!(file.stdin().unwrap(), b"a\n b");
        assert_eq!(file.skip("vm"), Some("no threads"));
        assert_eq!(file.skip("native"), None);
        let found: Vec<_> = file.expectations.iter().map(|e| (e.line, e.rule.as_str())).collect();
        assert_eq!(found, [(0, "everywhere"), (5, "null"), (5, "overflow")]);
    }

    #[test]
    fn malformed_comments_are_errors() {
        assert!(parse("//~ what is this").is_err());
        assert!(parse("//~^ ERROR x").is_err());
        assert!(parse("//~").is_err());
    }

    #[test]
    fn comparison_counts_copies() {
        let file = test_file("x; //~ ERROR a\n");
        let report = |line, rule: &str| Report { line, rule: rule.into() };
        assert!(compare(&file, &[report(1, "a")]).is_ok());
        let twice = compare(&file, &[report(1, "a"), report(1, "a")]).unwrap_err();
        assert!(twice.contains("reported and not expected: line 1: a"), "{twice}");
        let wrong = compare(&file, &[report(2, "a")]).unwrap_err();
        assert!(wrong.contains("expected and not reported: line 1: a"), "{wrong}");
    }
}
