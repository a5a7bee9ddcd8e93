//! What `prove` says of a patch beyond the tests: that it is equal to a function that is known to be right (`--spec`), or
//! that the program's assertions hold.
//!
//! For `--spec`, the patched text and the reference are joined in one file, the functions of the reference with another
//! name, and a function that asserts that both answer the same.

use super::sources;
use crate::args::Repair;
use crate::report::Failure;
use diagnostics::Deadline;
use diagnostics::Verdict;
use infer;
use ir::{FunctionId, Program, StmtKind};
use prove::Config;
use repair::{Build, Patch};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What was found out about a patch.
pub(super) struct Checked {
    /// As `plumb prove` names it.
    pub verdict: &'static str,
    /// A clause for people.
    pub text: String,
}

pub(super) struct Asked<'a> {
    pub args: &'a Repair,
    pub program: &'a Program,
    pub entry: FunctionId,
    pub build: &'a Build,
    pub deadline: Deadline,
}

/// Time for one patch.
const TIME: Duration = Duration::from_secs(10);

impl Asked<'_> {
    pub fn patches(&self, patches: &[Patch]) -> Result<Vec<Option<Checked>>, Failure> {
        let reference = self.args.spec.as_deref().map(read).transpose()?;
        if reference.is_some() && self.program.functions[self.entry].name == "main" {
            return Err(Failure::new("--spec compares functions, and the tests are runs of a whole program")
                .with_help("--entry names a function; its tests have a column for each parameter"));
        }
        if let (Some(path), Some(_)) = (&self.args.spec, &reference) {
            self.check_reference(path)?;
        }
        patches.iter().map(|patch| self.patch(patch, reference.as_deref())).collect()
    }

    /// The reference must be C and have the function.
    fn check_reference(&self, path: &Path) -> Result<(), Failure> {
        let name = &self.program.functions[self.entry].name;
        let files = [path.to_path_buf()];
        match cfront::load(&files, &self.build.options) {
            Ok(loaded) => sources::entry(&loaded.program, Some(name)).map(|_| ()).map_err(|failure| Failure {
                message: format!("--spec {}: {}", path.display(), failure.message),
                help: failure.help,
            }),
            Err(cfront::Failure::Program { findings, .. }) => {
                let why = findings.first().map_or("it cannot be read", |finding| finding.message.as_str());
                Err(Failure::new(format!("--spec {}: {why}", path.display())))
            }
            Err(cfront::Failure::Environment(trouble)) => Err(Failure::new(trouble.message).with_help(trouble.help)),
        }
    }

    fn patch(&self, patch: &Patch, reference: Option<&str>) -> Result<Option<Checked>, Failure> {
        let folder = tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary folder: {error}")))?;
        let mut files: Vec<PathBuf> = Vec::new();
        let function = &self.program.functions[self.entry];
        let mut name = function.name.clone();
        for (index, path) in self.build.files.iter().enumerate() {
            let shown = path.display().to_string();
            let mut text = match patch.texts.get(&shown) {
                Some(text) => text.clone(),
                None => read(path)?,
            };
            if let Some(reference) = reference
                && index + 1 == self.build.files.len()
            {
                text += &self.comparison(reference)?;
                name = "plumb_same".into();
            }
            // In a folder of its own, with the user's as one to include from.
            let file = folder.path().join(format!("{index}.c"));
            std::fs::write(&file, text).map_err(|error| Failure::new(format!("no temporary file: {error}")))?;
            files.push(file);
        }
        let mut options = self.build.options.clone();
        for path in &self.build.files {
            let home = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            options.flags.extend(["-iquote".to_string(), home.display().to_string()]);
        }
        let unknown = |why: String| Checked { verdict: "unknown", text: format!("not proved: {why}") };
        let loaded = match cfront::load(&files, &options) {
            Ok(loaded) => loaded,
            Err(cfront::Failure::Program { findings, .. }) => {
                let why = findings.first().map_or("it cannot be read", |finding| finding.message.as_str());
                return Ok(Some(unknown(format!("the patch and the reference cannot be joined: {why}"))));
            }
            Err(cfront::Failure::Environment(trouble)) => return Ok(Some(unknown(trouble.message))),
        };
        let program = loaded.program;
        if reference.is_none() && !has_claims(&program) {
            return Ok(None);
        }
        let Some(entry) = program.find_function(&name) else {
            return Ok(Some(unknown(format!("`{name}` is not there"))));
        };
        let now = Instant::now();
        let time = TIME.min(self.deadline.left());
        let config = Config {
            infer: infer::Config { deadline: self.deadline.by(now + time / 2), ..infer::Config::default() },
            sources: Some(replay::Sources { files, options }),
            deadline: self.deadline.by(now + time),
            ..Config::default()
        };
        let what = if reference.is_some() { "equal to the reference" } else { "its assertions hold" };
        Ok(Some(match prove::prove(&program, entry, &config) {
            Err(why) => unknown(why.into()),
            Ok(found) => {
                let refuted = found.properties.iter().find_map(|p| match &p.verdict {
                    Verdict::Refuted { witness } => Some(witness),
                    _ => None,
                });
                let open = found.properties.iter().find_map(|p| match &p.verdict {
                    Verdict::Proved { .. } | Verdict::Vacuous | Verdict::Refuted { .. } => None,
                    other => Some(other),
                });
                match (refuted, open) {
                    (Some(witness), _) => {
                        let inputs: Vec<String> = witness.inputs.iter().map(|(n, v)| format!("{n}={v}")).collect();
                        let text = format!("refuted: not {what} on {}", inputs.join(" "));
                        Checked { verdict: "refuted", text }
                    }
                    (None, Some(Verdict::Unknown { why })) => unknown(why.said.clone()),
                    (None, Some(_)) => unknown("only observed".into()),
                    (None, None) => Checked { verdict: "proved", text: format!("proved: {what} on all inputs") },
                }
            }
        }))
    }

    /// The reference under other names, and the function that compares.
    fn comparison(&self, reference: &str) -> Result<String, Failure> {
        let function = &self.program.functions[self.entry];
        let names: Vec<&str> = self
            .program
            .defined_functions()
            .map(|(_, function, _)| function.name.as_str())
            .chain([function.name.as_str()])
            .collect();
        let renamed = renamed(reference, &names, "plumb_right_");
        let mut formals = Vec::new();
        let mut arguments = Vec::new();
        for &param in &function.params {
            let local = &function.locals[param];
            formals.push(ir::c_declaration(self.program, Some(function), local.ty, &local.name));
            arguments.push(local.name.as_str());
        }
        let call = format!("{}({})", function.name, arguments.join(", "));
        Ok(format!(
            "\n{renamed}\nextern void __VERIFIER_assert(int);\n\
             void plumb_same({}) {{ __VERIFIER_assert({call} == plumb_right_{call}); }}\n",
            formals.join(", ")
        ))
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))
}

fn has_claims(program: &Program) -> bool {
    let mut found = false;
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| found |= matches!(stmt.kind, StmtKind::Assert { .. }));
    }
    found
}

/// A text with a prefix at the names of functions, where they are defined and called.
fn renamed(text: &str, names: &[&str], prefix: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with(['"', '\'']) {
            literal(rest)
        } else if is_name(&bytes[at]) {
            let length = bytes[at..].iter().take_while(|b| is_name(b)).count();
            let called = text[at + length..].trim_start().starts_with('(');
            if called && names.contains(&&text[at..at + length]) {
                out.push_str(prefix);
            }
            length
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        out.push_str(&text[at..at + length]);
        at += length;
    }
    out
}

/// The length of the literal that a text starts with.
fn literal(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (i, b) in text.bytes().enumerate().skip(1) {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b if b == quote => return i + 1,
            _ => {}
        }
    }
    text.len()
}
