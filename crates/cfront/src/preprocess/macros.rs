//! What the compiler's predefined macros say about the target: the rest of the data model.
//!
//! The compiler is asked once for each set of flags that can change the language (`cc -dM -E` on an empty text). The
//! user's own `-D` and `-include` take no part, since defining `__CHAR_UNSIGNED__` makes no `char` unsigned.

use super::compiler::{Compiler, Mode, Outcome, Source, view_of_compiler};
use super::flags::{self, refusal};
use super::{EnvironmentError, Options};
use ir::{DataModel, IntKind};
use std::collections::HashMap;
use std::sync::Mutex;

/// Names and what they stand for.
type Macros = HashMap<String, String>;

/// A compiler and the flags it is asked with.
type Question = (String, Vec<String>);

/// What compilers answered before; the question costs a process.
static ANSWERS: Mutex<Option<HashMap<Question, Macros>>> = Mutex::new(None);

/// The data model of the compiler with the flags of the build, or why there is no model of it.
pub fn data_model(options: &Options) -> Result<DataModel, EnvironmentError> {
    let own = options.cc.split_whitespace().skip(1).filter(|word| word.starts_with('-')).map(str::to_string);
    let all: Vec<String> = own.chain(options.flags.iter().cloned()).collect();
    let mut data = flags::data_model(&all)?;
    let language: Vec<String> = options.flags.iter().filter(|flag| is_language(flag)).cloned().collect();
    let macros = predefined(options, language)?;
    complete(&mut data, &macros, &all)?;
    Ok(data)
}

/// Whether a flag can change predefined macros. `-fdirectives-only` and its kin ask for another output.
fn is_language(flag: &str) -> bool {
    ["-f", "-m", "-std", "--std", "-O", "-ansi", "-pthread"].iter().any(|prefix| flag.starts_with(prefix))
        && !matches!(flag, "-fdirectives-only" | "-fsyntax-only" | "-fpreprocessed")
}

fn predefined(options: &Options, language: Vec<String>) -> Result<Macros, EnvironmentError> {
    let question = (options.cc.clone(), language);
    let lock = || ANSWERS.lock().unwrap_or_else(|broken| broken.into_inner());
    if let Some(known) = lock().as_ref().and_then(|answers| answers.get(&question)) {
        return Ok(known.clone());
    }
    let asked = Options { flags: question.1.clone(), ..options.clone() };
    let mut macros = Macros::new();
    let outcome = Compiler::new(&asked, view_of_compiler(&asked)).run(&Source::Nothing, Mode::Macros, |line| {
        if let Ok(line) = std::str::from_utf8(line)
            && let Some((name, value)) = line.strip_prefix("#define ").and_then(|rest| rest.split_once(' '))
        {
            macros.insert(name.to_string(), value.trim().to_string());
        }
    })?;
    if let Outcome::Refused(messages) = outcome {
        let first = messages.lines().find(|line| !line.trim().is_empty()).unwrap_or("it gave no reason");
        return Err(EnvironmentError {
            message: format!("`{} -dM -E` failed: {first}", options.cc),
            help: "check the flags after `--`".to_string(),
        });
    }
    lock().get_or_insert_default().insert(question, macros.clone());
    Ok(macros)
}

fn complete(data: &mut DataModel, macros: &Macros, flags: &[String]) -> Result<(), EnvironmentError> {
    let text = |name: &str| macros.get(name).map(String::as_str);
    let number = |name: &str| text(name).and_then(|value| value.trim_end_matches(['L', 'U']).parse::<u64>().ok());
    // The flag to name, where one was given.
    let culprit = |prefix: &str, otherwise: &str| {
        flags.iter().rev().find(|flag| flag.starts_with(prefix)).cloned().unwrap_or_else(|| otherwise.to_string())
    };
    let lp64 = [("INT", 4), ("SHORT", 2), ("LONG", 8), ("LONG_LONG", 8), ("POINTER", 8), ("FLOAT", 4), ("DOUBLE", 8)];
    for (name, bytes) in lp64 {
        let found = number(&format!("__SIZEOF_{name}__"));
        if found != Some(bytes) {
            let name = name.to_lowercase().replace('_', " ");
            let found = found.map_or("an unknown number of".to_string(), |n| n.to_string());
            let flag = culprit("-m", "(the target of the compiler)");
            return Err(refusal(&flag, &format!("`{name}` has {found} bytes there; only LP64 has a model")));
        }
    }
    if text("__BYTE_ORDER__").is_some_and(|order| order != "__ORDER_LITTLE_ENDIAN__") {
        return Err(refusal("(the target of the compiler)", "its byte order is not little-endian"));
    }
    if number("__STDC_VERSION__").is_some_and(|version| version > 201710) {
        let flag = culprit("-std", "-std=gnu23 (the compiler's default)");
        let mut error = refusal(&flag, "C23 has other keywords and another meaning of `()`");
        error.help =
            "name an older standard, for example `-- -std=gnu17`, if the program is written for it".to_string();
        return Err(error);
    }
    data.char_is_signed = text("__CHAR_UNSIGNED__").is_none();
    data.wchar = match text("__WCHAR_TYPE__") {
        None | Some("int") => IntKind::Int,
        Some("short unsigned int" | "unsigned short") => IntKind::UShort,
        Some("unsigned int") => IntKind::UInt,
        Some("long int") => IntKind::Long,
        Some(other) => return Err(refusal("(the target of the compiler)", &format!("`wchar_t` is `{other}` there"))),
    };
    data.extended_long_double = number("__LDBL_MANT_DIG__") == Some(64) && number("__SIZEOF_LONG_DOUBLE__") == Some(16);
    let contracts = text("__FMA__").is_some() || text("__FMA4__").is_some() || text("__ARM_FEATURE_FMA").is_some();
    let contraction = flags.iter().rfind(|flag| flag.starts_with("-ffp-contract=")).map(String::as_str);
    // In ISO mode GCC does not contract; Clang contracts within an expression, which `on` asks for.
    let is_iso = flags.iter().rfind(|flag| flag.starts_with("-std=")).is_some_and(|flag| !flag.starts_with("-std=gnu"));
    let is_clang = text("__clang__").is_some();
    let may_contract = match contraction {
        Some("-ffp-contract=off") => false,
        Some(_) => true,
        None => is_clang || !is_iso,
    };
    data.exact_floats = number("__FINITE_MATH_ONLY__").unwrap_or(0) == 0
        && ![
            "__FAST_MATH__",
            "__ASSOCIATIVE_MATH__",
            "__RECIPROCAL_MATH__",
            "__NO_SIGNED_ZEROS__",
            "__NO_MATH_ERRNO__",
        ]
        .iter()
        .any(|name| text(name).is_some())
        && text("__FLT_EVAL_METHOD__").is_none_or(|method| method == "0")
        && !(contracts && may_contract);
    Ok(())
}
