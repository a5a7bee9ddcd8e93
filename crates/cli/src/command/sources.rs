//! From the file arguments of a command to a loaded program, or to a report of what is wrong with the files.

use super::given;
use crate::args::{Compile, Shared, Sources};
use crate::exit::Exit;
use crate::place::Place;
use crate::report::{Failure, Report};
use cfront::preprocess::Options;
use cfront::{Loaded, load};
use diagnostics::{SourceMap, Span};
use ir::{FunctionId, Program};
use observe::inputs::{Values, parameters, parse_inputs, takes_objects};
use observe::locations::At;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The front end's options: flags from `-I`, `-D`, `--cflags` and after `--`, in that order.
pub fn options(compile: &Compile, trailing: &[String], shared: &Shared) -> Result<Options, Failure> {
    let mut flags = Vec::new();
    flags.extend(compile.include.iter().map(|folder| format!("-I{folder}")));
    flags.extend(compile.define.iter().map(|definition| format!("-D{definition}")));
    for text in &compile.cflags {
        let words = shlex::split(text).ok_or_else(|| {
            Failure::new(format!("the quotes in --cflags '{text}' do not match"))
                .with_help("quote the whole string once, for example --cflags '-DNAME=\"a b\"'")
        })?;
        flags.extend(words);
    }
    flags.extend(trailing.iter().cloned());
    refuse_dangerous(&flags, &compile.allow_compiler_flag)?;
    // The compiler's time is part of the command's.
    let time_limit = Duration::from_secs_f64(shared.seconds().clamp(0.1, 3600.0));
    Ok(Options { flags, keep_macros: compile.keep_macro.clone(), time_limit, ..Options::default() })
}

/// Refuses flags that make the compiler do more than compile, unless the user allows them by name.
pub fn refuse_dangerous(flags: &[String], allowed: &[String]) -> Result<(), Failure> {
    for flag in flags {
        if let Some(danger) = sandbox::dangerous(flag)
            && !allowed.iter().any(|allowed| allowed == flag)
        {
            return Err(Failure::new(format!("the compiler flag {flag} {}", danger.what()))
                .with_help(format!("if you trust where it came from, add --allow-compiler-flag={flag}")));
        }
    }
    Ok(())
}

/// A program, or the report that says why there is none.
pub enum Input {
    Program(Box<Loaded>),
    Refused(Box<Report>),
}

pub fn read(command: &'static str, sources: &Sources, options: &Options) -> Result<Input, Failure> {
    read_files(command, &sources.files, options)
}

pub fn read_files(command: &'static str, files: &[PathBuf], options: &Options) -> Result<Input, Failure> {
    refuse_other_languages(files)?;
    match load(files, options) {
        Ok(loaded) => {
            if let Some(flag) = cfront::preprocess::unmodelled_float_flag(&options.flags)
                && loaded.program.uses_floats()
            {
                let why = format!("`{flag}` changes what floating operations give, and has no model");
                let help = "leave the flag out; with -ffp-contract=off flags that only choose a processor are fine";
                return Err(Failure::new(why).with_help(help));
            }
            Ok(Input::Program(Box::new(loaded)))
        }
        Err(cfront::Failure::Program { findings, sources }) => {
            let mut report = Report::new(command);
            report.exit = Exit::BadInput;
            report.summary = match findings.len() {
                1 => "the program cannot be read".to_string(),
                n => format!("the program cannot be read: {n} findings"),
            };
            report.findings = findings;
            report.sources = sources;
            Ok(Input::Refused(Box::new(report)))
        }
        Err(cfront::Failure::Environment(trouble)) => Err(Failure::new(trouble.message).with_help(trouble.help)),
    }
}

/// The program, where nothing can be said if it cannot be read.
pub fn read_program(command: &'static str, files: &[PathBuf], options: &Options) -> Result<Program, Failure> {
    match read_files(command, files, options)? {
        Input::Program(loaded) => Ok(loaded.program),
        Input::Refused(report) => {
            Err(Failure::new(report.summary).with_help("`plumb check` says what is wrong with it"))
        }
    }
}

/// Refuses files whose names say that they are written in another language.
fn refuse_other_languages(files: &[PathBuf]) -> Result<(), Failure> {
    for file in files {
        let language = match file.extension().and_then(|extension| extension.to_str()) {
            Some("cpp" | "cc" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" | "cppm") => "C++",
            Some("m" | "mm") => "Objective-C",
            Some("rs") => "Rust",
            Some("go") => "Go",
            Some("py") => "Python",
            Some("java") => "Java",
            _ => continue,
        };
        let name = file.display();
        let help = format!("if it is C all the same, hand it over as standard input: `- < {name}`");
        return Err(Failure::new(format!("{name} is {language}; plumb reads C")).with_help(help));
    }
    Ok(())
}

/// The function a run starts with: the one asked for, else `mainQ`, else `main`.
pub fn entry(program: &Program, asked: Option<&str>) -> Result<FunctionId, Failure> {
    let defined = |name: &str| program.find_function(name).filter(|id| program.functions[*id].body.is_some());
    let found = match asked {
        Some(name) => defined(name),
        None => defined("mainQ").or_else(|| defined("main")),
    };
    found.ok_or_else(|| {
        let mut names: Vec<&str> = program.defined_functions().map(|(_, function, _)| function.name.as_str()).collect();
        names.sort_unstable();
        names.truncate(20);
        let message = match asked {
            Some(name) => format!("no function `{name}` is defined in these files"),
            None => "neither `mainQ` nor `main` is defined in these files".to_string(),
        };
        Failure::new(message).with_help(match names.is_empty() {
            true => "the files define no functions at all".to_string(),
            false => format!("--entry takes one of: {}", names.join(", ")),
        })
    })
}

/// A place of `--at`: `FILE:LINE`, a line alone, or a label.
pub fn place(text: &str) -> At {
    if let Ok(line) = text.parse() {
        return At::Line { file: String::new(), line };
    }
    match Place::parse(text) {
        Some(Place { file, line }) => At::Line { file, line },
        None => At::Label(text.to_string()),
    }
}

/// The span of a place in a text that was appended to the source map, which begins at `base`.
pub fn in_text(sources: &SourceMap, path: &str, base: u32, line: u32, column: u32, length: u32) -> Span {
    let offset = sources.find_file(path).and_then(|file| sources.file(file).offset(line, column)).unwrap_or(0) as u32;
    Span::new(base + offset, base + offset + length.max(1))
}

/// A line of a file as a place for findings, without the white space around it.
pub fn line(sources: &mut SourceMap, path: &str, line: u32) -> Span {
    let Ok(text) = std::fs::read_to_string(path) else { return Span::NONE };
    let Some(content) = (line as usize).checked_sub(1).and_then(|index| text.lines().nth(index)) else {
        return Span::NONE;
    };
    let indent = content.len() - content.trim_start().len();
    let base = sources.append_text(path, &text);
    in_text(sources, path, base, line, indent as u32 + 1, content.trim().len() as u32)
}

/// The values of `--input`.
pub fn ranges(texts: &[String]) -> Result<Vec<(String, Values)>, Failure> {
    texts.iter().map(|text| Values::parse(text).map_err(|why| Failure::new(format!("--input: {why}")))).collect()
}

/// The inputs in the file of `--inputs`.
pub fn inputs(path: Option<&Path>, program: &Program, entry: FunctionId) -> Result<Option<Vec<exec::Input>>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
    if takes_objects(program, entry) {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let read = |(number, line): (usize, &str)| {
            given::input(program, entry, line).map_err(|why| {
                let name = &program.functions[entry].name;
                Failure::new(format!("{}: line {}: {why}", path.display(), number + 1)).with_help(format!(
                    "`{name}` takes more than numbers: write an object a line, with a member for each parameter"
                ))
            })
        };
        return lines.map(read).collect::<Result<_, _>>().map(Some);
    }
    let parameters = parameters(program, entry);
    let inputs = parse_inputs(&text, &parameters);
    let inputs = inputs.map_err(|why| Failure::new(format!("{}: {why}", path.display())))?;
    if !program.asks_nondet() && inputs.iter().any(|input| !input.nondet.is_empty()) {
        let name = &program.functions[entry].name;
        let why = format!("{}: nothing reads these values", path.display());
        let taken = match parameters.is_empty() {
            true => "takes no numbers".to_string(),
            false => format!("takes {} numbers", parameters.len()),
        };
        return Err(Failure::new(why).with_help(format!(
            "`{name}` {taken} and asks for no nondeterministic values; inputs are neither arguments nor standard input"
        )));
    }
    Ok(Some(inputs))
}
