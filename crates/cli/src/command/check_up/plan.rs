//! The questions of a check-up, as the command lines that ask them.

use crate::args::CheckUp;
use crate::command::sources;
use crate::report::Failure;
use ir::{CallGraph, FunctionId, Linkage, Program};
use std::collections::BTreeSet;

/// A verb, and the function it is asked of.
pub(super) struct Question {
    pub(super) verb: &'static str,
    pub(super) entry: String,
    /// The command line, from `plumb` on.
    pub(super) words: Vec<String>,
}

impl Question {
    pub(super) fn shown(&self) -> String {
        format!("{} of {}", self.verb, self.entry)
    }
}

/// What each verb is asked.
const ABOUT_PROGRAMS: (&str, &[&str]) = ("run", &["--stdin", "/dev/null"]);
const ABOUT_ENTRIES: [(&str, &[&str]); 3] =
    [("infer", &[]), ("prove", &["--overflow"]), ("reach", &["--all-branches"])];
const ABOUT_FUNCTIONS: (&str, &[&str]) = ("symmetry", &["--discover"]);

/// All questions, those about one function after another.
pub(super) fn plan(args: &CheckUp, program: &Program) -> Result<Vec<Question>, Failure> {
    let entries = entries(args, program)?;
    let mut questions = Vec::new();
    let mut ask = |(verb, flags): (&'static str, &[&str]), id: FunctionId| {
        let entry = program.functions[id].name.clone();
        questions.push(Question { verb, words: words(args, verb, flags, &entry), entry });
    };
    let is_main = |id: &FunctionId| program.functions[*id].name == "main";
    for &id in &entries {
        // A program without arguments and input can simply be run.
        if is_main(&id) {
            ask(ABOUT_PROGRAMS, id);
        }
        ABOUT_ENTRIES.into_iter().for_each(|about| ask(about, id));
        if !is_main(&id) {
            ask(ABOUT_FUNCTIONS, id);
        }
    }
    let others = own(program).into_iter().filter(|id| args.entry.is_empty() && !entries.contains(id));
    others.filter(|id| !is_main(id)).for_each(|id| ask(ABOUT_FUNCTIONS, id));
    Ok(questions)
}

/// The command line of the front end's part.
pub(super) fn check(args: &CheckUp) -> Vec<String> {
    let mut words = files(args, "check");
    flags(args, &mut words);
    words
}

/// The functions that are written in the user's own files, in their order.
fn own(program: &Program) -> Vec<FunctionId> {
    let is_own = |id: &FunctionId| {
        let region = program.sources.used(program.functions[*id].span);
        region.is_some_and(|region| !program.sources.file(region.start.file).system)
    };
    program.defined_functions().map(|(id, _, _)| id).filter(is_own).collect()
}

/// Where execution starts: where the user says; else the program's own entry; else, of files that are no program,
/// every function that can be called from outside, by its name or through a pointer. Others get what these give them.
fn entries(args: &CheckUp, program: &Program) -> Result<Vec<FunctionId>, Failure> {
    if !args.entry.is_empty() {
        let asked: Result<BTreeSet<FunctionId>, Failure> =
            args.entry.iter().map(|name| sources::entry(program, Some(name))).collect();
        return Ok(asked?.into_iter().collect());
    }
    if let Ok(entry) = sources::entry(program, None) {
        return Ok(vec![entry]);
    }
    let graph = CallGraph::new(program);
    let callable = |id: &FunctionId| {
        program.functions[*id].linkage == Linkage::External || graph.callers(*id).iter().all(|caller| caller == id)
    };
    Ok(own(program).into_iter().filter(callable).collect())
}

fn words(args: &CheckUp, verb: &str, asked: &[&str], entry: &str) -> Vec<String> {
    let mut words = files(args, verb);
    words.extend(["--entry".to_string(), entry.to_string()]);
    words.extend(asked.iter().map(|word| word.to_string()));
    match verb {
        // What follows `--` are the arguments of a program that is run.
        "run" => {
            let quoted = shlex::try_join(args.flags.iter().map(String::as_str)).unwrap_or_default();
            compile(args, &mut words);
            words.extend((!args.flags.is_empty()).then(|| format!("--cflags={quoted}")));
        }
        _ => flags(args, &mut words),
    }
    words
}

fn files(args: &CheckUp, verb: &str) -> Vec<String> {
    let mut words = vec!["plumb".to_string(), verb.to_string()];
    words.extend(args.sources.files.iter().map(|file| file.display().to_string()));
    words
}

/// How the files are compiled.
fn flags(args: &CheckUp, words: &mut Vec<String>) {
    compile(args, words);
    if !args.flags.is_empty() {
        words.push("--".to_string());
        words.extend(args.flags.iter().cloned());
    }
}

fn compile(args: &CheckUp, words: &mut Vec<String>) {
    let compile = &args.sources.compile;
    let named =
        |flag: &'static str, values: &[String]| values.iter().map(|value| format!("{flag}{value}")).collect::<Vec<_>>();
    words.extend(named("-I", &compile.include));
    words.extend(named("-D", &compile.define));
    words.extend(named("--keep-macro=", &compile.keep_macro));
    words.extend(named("--cflags=", &compile.cflags));
}
