//! From a C file to one text that can be parsed, with the origin of every token in it.
//!
//! The user's own compiler does the preprocessing, so its include paths, predefined macros and flags are
//! exactly those of the build. Its output is turned into a [`Unit`] in one pass while it arrives:
//!
//! | phase | file |
//! |---|---|
//! | run `cc -E`, turn its complaints into findings | `compiler.rs` |
//! | take the `-fdebug-cpp` tags (or the line markers) out of the output | `tags.rs`, `markers.rs` |
//! | find where each token is written, and which macro call it came from | `locate.rs`, `definitions.rs` |
//! | what flags and predefined macros say about the language | `flags.rs`, `macros.rs` |
//! | leave the calls of chosen macros unexpanded | `kept.rs` |
//!
//! *Invariants.* `Unit::text` is ASCII and the same length as the bytes behind [`Unit::bytes`]; origins ascend;
//! the text contains no directives (pragmas are kept aside in [`Unit::pragmas`]).
//!
//! *Guarantee.* The written place of a token is the compiler's word and checked against the file's text. The
//! place of *use* of macro text is reconstructed from the source line, and may name a neighbouring macro
//! call when two calls stand side by side; it always names the right line.

mod compiled;
mod compiler;
mod definitions;
mod flags;
mod float_flags;
mod kept;
mod locate;
mod macros;
mod markers;
mod pack;
mod tags;
mod tokens;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::order::Order;
use diagnostics::{Finding, Origin, SourceMap, Span};
use ir::DataModel;
use sandbox::{Policy, View};

pub use compiled::compiled_with;
pub use compiler::{EnvironmentError, read_text};
pub use float_flags::unmodelled_float_flag;
pub use pack::{changes_language, pack_limits};
pub use tokens::{Token, TokenKind, tokens};
pub(crate) use tokens::{call_end, is_blank, token_at};

/// How to preprocess.
#[derive(Clone, Debug)]
pub struct Options {
    /// The compiler; may carry arguments of its own (`ccache gcc`).
    pub cc: String,
    /// The flags the program is built with. Those that ask for another output (`-c`, `-o`, `-M…`) are ignored.
    pub flags: Vec<String>,
    /// Function-like macros whose calls are to survive as calls.
    pub keep_macros: Vec<String>,
    /// Function-like macros that get another definition: the name, and what follows it in `#define`.
    pub replace_macros: Vec<(String, String)>,
    /// How long one run of the compiler may take.
    pub time_limit: Duration,
    /// Which operands are evaluated first where C leaves that open.
    pub order: Order,
    /// Whether left shifts of signed values are what GCC defines them to be.
    pub shifts_wrap: bool,
    /// Whether whoever runs the program follows its threads, and wants atomic operations marked.
    pub threads: bool,
    /// Whether declarations of one name that disagree between units are a warning.
    pub mixed_units: bool,
    /// Files that the build compiles with other flags than the rest, by their path as it is given.
    pub file_flags: BTreeMap<PathBuf, Vec<String>>,
}

impl Options {
    /// The flags that one file is built with.
    pub fn flags_of(&self, path: &Path) -> &[String] {
        self.file_flags.get(path).unwrap_or(&self.flags)
    }

    /// The same options for one file alone.
    pub fn of_file(&self, path: &Path) -> Cow<'_, Options> {
        match self.file_flags.get(path) {
            Some(flags) => Cow::Owned(Options { flags: flags.clone(), file_flags: BTreeMap::new(), ..self.clone() }),
            None => Cow::Borrowed(self),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        let cc = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or_else(|| "cc".to_string());
        Options {
            cc,
            flags: Vec::new(),
            keep_macros: Vec::new(),
            replace_macros: Vec::new(),
            time_limit: Duration::from_secs(60),
            order: Order::default(),
            shifts_wrap: false,
            threads: false,
            mixed_units: false,
            file_flags: BTreeMap::new(),
        }
    }
}

/// A `#pragma` (or `_Pragma`) of the program, without the word itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pragma {
    /// It stands before the token at this offset of the program text.
    pub at: u32,
    pub text: String,
}

/// One preprocessed translation unit, ready to be parsed.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The path as the user gave it.
    pub path: String,
    /// The offset of this unit in the program text: spans are `base + offset in text`.
    pub base: u32,
    /// The program with filler in place of what is not ASCII.
    pub text: String,
    /// The bytes behind `text` where they are not the same, that is where the program is not ASCII.
    original: Option<Vec<u8>>,
    /// The macros of [`Options::keep_macros`] that this unit defines; their calls look like function calls.
    pub kept_macros: Vec<String>,
    pub pragmas: Vec<Pragma>,
    /// What the compiler was told about the language.
    pub data: DataModel,
    /// How many bytes the compiler's plain output has, for speed measurements.
    pub plain_bytes: usize,
    pub order: Order,
}

impl Unit {
    /// The span of an AST node.
    pub fn span(&self, span: lang_c::span::Span) -> Span {
        Span::new(self.base + span.start as u32, self.base + span.end as u32)
    }

    /// The bytes the program has at a span: use this for the contents of string and character literals, because
    /// `text` has filler in place of everything that is not ASCII.
    pub fn bytes(&self, span: Span) -> &[u8] {
        let bytes = self.original.as_deref().unwrap_or(self.text.as_bytes());
        let lo = (span.lo.saturating_sub(self.base) as usize).min(bytes.len());
        let hi = (span.hi.saturating_sub(self.base) as usize).clamp(lo, bytes.len());
        &bytes[lo..hi]
    }

    /// Where the next unit of the same program may begin.
    pub fn end(&self) -> u32 {
        self.base + self.text.len() as u32 + 1
    }

    /// Puts text behind the program's own, which sees everything that the unit declares. It has no place in a file.
    pub fn append(&mut self, text: &str) {
        debug_assert!(text.is_ascii(), "what is put behind a unit should be ASCII, as the rest of its text");
        self.text.push('\n');
        self.text.push_str(text);
        if let Some(original) = &mut self.original {
            original.push(b'\n');
            original.extend(text.bytes());
        }
    }

    /// A unit made of text that is preprocessed already, with all of it written in one file. It takes the same
    /// way as the compiler's output: `#` lines are read as line markers.
    pub fn from_preprocessed(path: &str, text: &[u8], map: &mut SourceMap, base: u32) -> Result<Unit, Failure> {
        let mut view = View::new(Policy::Preprocessor);
        view.show_source(Path::new(path));
        let mut stripper = markers::MarkerReader::new(map, path, view.shown());
        for line in text.split(|&b| b == b'\n') {
            stripper.line(line);
        }
        finish(path, stripper.finish(), Vec::new(), DataModel::default(), map, base)
    }
}

/// Why there is no unit.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The user's program is wrong.
    Program {
        findings: Vec<Finding>,
        /// The findings' spans end before this offset of the program text: the next unit may begin here.
        end: u32,
    },
    /// The environment is: no compiler, no such file.
    Environment(EnvironmentError),
}

/// What the readers of the compiler's output yield.
pub(crate) struct Stripped {
    pub text: Vec<u8>,
    pub origins: Vec<Origin>,
    pub pragmas: Vec<Pragma>,
    pub plain_bytes: usize,
}

/// Preprocesses `path`. The files and origins go to `map`; `base` is where the unit begins in the program text.
pub fn preprocess(path: &Path, options: &Options, map: &mut SourceMap, base: u32) -> Result<Unit, Failure> {
    compiler::check_readable(path).map_err(Failure::Environment)?;
    let options = &*options.of_file(path);
    let shown = path.to_string_lossy().into_owned();
    let mut data = macros::data_model(options).map_err(Failure::Environment)?;
    data.shifts_wrap |= options.shifts_wrap;
    data.threads |= options.threads;
    data.mixed_units |= options.mixed_units;
    let view = compiler::view_of(path, options);
    let visible = view.shown();
    let call = compiler::Compiler::new(options, view);

    let (kept, source) = if options.keep_macros.is_empty() && options.replace_macros.is_empty() {
        (Vec::new(), compiler::Source::File(path))
    } else {
        let mut directives = Vec::new();
        let outcome = call
            .run(&compiler::Source::File(path), compiler::Mode::DirectivesOnly, |line| {
                directives.extend_from_slice(line);
                directives.push(b'\n');
            })
            .map_err(Failure::Environment)?;
        if let compiler::Outcome::Refused(messages) = outcome {
            return Err(compiler::complaint(path, &messages, options, &visible, map, base));
        }
        let (text, kept) =
            kept::without_definitions(&directives, &options.keep_macros, &options.replace_macros, &visible);
        (kept, compiler::Source::Text(text))
    };

    let mut reader = tags::TagReader::new(map, &shown, visible.clone());
    let outcome = call.run(&source, compiler::Mode::Tagged, |line| reader.line(line)).map_err(Failure::Environment)?;
    let stripped = match outcome {
        compiler::Outcome::Done => reader.finish(),
        compiler::Outcome::Refused(messages) if compiler::lacks_tags(&messages) => {
            drop(reader);
            let mut reader = markers::MarkerReader::new(map, &shown, visible.clone());
            let outcome =
                call.run(&source, compiler::Mode::Plain, |line| reader.line(line)).map_err(Failure::Environment)?;
            match outcome {
                compiler::Outcome::Done => reader.finish(),
                compiler::Outcome::Refused(messages) => {
                    drop(reader);
                    return Err(compiler::complaint(path, &messages, options, &visible, map, base));
                }
            }
        }
        compiler::Outcome::Refused(messages) => {
            drop(reader);
            return Err(compiler::complaint(path, &messages, options, &visible, map, base));
        }
    };
    Ok(Unit { order: options.order, ..finish(&shown, stripped, kept, data, map, base)? })
}

/// The text with filler for what is not ASCII, and the bytes themselves if there is filler. Null characters are white
/// space, as for compilers.
fn ascii(text: Vec<u8>) -> (String, Option<Vec<u8>>) {
    let is_plain = |byte: &u8| byte.is_ascii() && *byte != 0;
    let text = match String::from_utf8(text) {
        Ok(text) if text.bytes().all(|byte| is_plain(&byte)) => return (text, None),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let filled = text.iter().map(|byte| match byte {
        0 => ' ',
        byte if byte.is_ascii() => *byte as char,
        _ => 'x',
    });
    (filled.collect(), Some(text))
}

/// Makes a unit of the stripped text and hands the origins to the map.
fn finish(
    path: &str,
    stripped: Stripped,
    kept_macros: Vec<String>,
    data: DataModel,
    map: &mut SourceMap,
    base: u32,
) -> Result<Unit, Failure> {
    if (base as usize).saturating_add(stripped.text.len()) > (u32::MAX / 2) as usize {
        return Err(Failure::Environment(EnvironmentError {
            message: format!("{path} and the files before it are larger than 2 GB when preprocessed"),
            help: "check fewer files at a time".to_string(),
        }));
    }
    let Stripped { text, origins, pragmas, plain_bytes } = stripped;
    map.add_origins(origins.into_iter().map(|origin| Origin { at: origin.at + base, ..origin }));
    let pragmas = pragmas.into_iter().map(|pragma| Pragma { at: pragma.at + base, ..pragma }).collect();
    let (text, original) = ascii(text);
    Ok(Unit {
        path: path.to_string(),
        base,
        text,
        original,
        kept_macros,
        pragmas,
        data,
        plain_bytes,
        order: Order::default(),
    })
}
