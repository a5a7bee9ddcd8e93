//! The last word on a patch: the user's text with the edit in it, compiled by the user's compiler, and run on all tests.
//!
//! All tests run in one sandboxed process that makes a child for each (`driver.c`), because starting a sandbox for each
//! of a thousand tests would take longer than finding the patch.
//!
//! *Guarantee*: an answer of [`Compiled::passed`] is what the compiled program did. A crash, a hang, an exit with a
//! message instead of an answer are failures.

use super::suite::Test;
use cfront::preprocess::Options;
use diagnostics::Span;
use exec::ValueType;
use exec::{Budget, Ending, Input, Limit, Outcome, Scalar};
use ir::{FunctionId, Program};
use replay::{Conditions, Recipe, Source};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

const DRIVER: &str = include_str!("driver.c");

/// How the program is compiled.
#[derive(Clone, Debug)]
pub struct Build {
    pub files: Vec<PathBuf>,
    pub options: Options,
}

/// Compiles programs that differ in their texts and runs one suite on them.
pub struct Compiled<'a> {
    build: &'a Build,
    entry: FunctionId,
    program: &'a Program,
    tests: &'a [Test],
    cancel: &'a AtomicBool,
    driver: OnceLock<Result<Arc<Vec<u8>>, String>>,
}

/// Time for one test; a test of a program that is to be repaired takes a moment.
const TIME_MS: u32 = 2_000;

impl<'a> Compiled<'a> {
    pub fn new(
        build: &'a Build,
        program: &'a Program,
        entry: FunctionId,
        tests: &'a [Test],
        cancel: &'a AtomicBool,
    ) -> Compiled<'a> {
        Compiled { build, entry, program, tests, cancel, driver: OnceLock::new() }
    }

    fn is_main(&self) -> bool {
        self.program.functions[self.entry].name == "main"
    }

    /// Which tests pass when these texts replace those of the files of these paths. An error is a clause for the user.
    pub fn passed(&self, texts: &BTreeMap<String, String>) -> Result<Vec<bool>, String> {
        let inputs: Vec<&Input> = self.tests.iter().map(|test| &test.input).collect();
        let outcomes = self.outcomes(texts, &inputs)?;
        Ok(self.tests.iter().zip(&outcomes).map(|(test, outcome)| test.passed(outcome)).collect())
    }

    /// What the program answers to inputs.
    pub fn outcomes(&self, texts: &BTreeMap<String, String>, inputs: &[&Input]) -> Result<Vec<Outcome>, String> {
        let mut recipe = Recipe::new(Vec::new());
        recipe.flags.clone_from(&self.build.options.flags);
        recipe.compiler = Some(self.build.options.cc.clone());
        let function = &self.program.functions[self.entry];
        let home = self.home();
        let mut headers: Vec<(&String, &String)> = texts.iter().collect();
        for (index, path) in self.build.files.iter().enumerate() {
            let shown = path.display().to_string();
            let text = texts.get(&shown).cloned();
            headers.retain(|(name, _)| **name != shown);
            let text = match text {
                Some(text) => text,
                None => std::fs::read_to_string(path).map_err(|error| format!("{shown} cannot be read: {error}"))?,
            };
            let text = if !self.is_main() && index == home { format!("{text}{}", self.call()?) } else { text };
            recipe.sources.push(Source::text(path, text));
        }
        if let Some((name, _)) = headers.first() {
            return Err(format!("{name} is included by a file, and only the files themselves are compiled anew"));
        }
        recipe.flags.push("-Wl,--wrap=main".into());
        let driver = self.driver.get_or_init(|| {
            let mut recipe = Recipe::new([Source::text("plumb-driver.c", DRIVER)]);
            recipe.compiler = Some(self.build.options.cc.clone());
            let decides = |flag: &&String| flag.starts_with("-m") || flag.contains("pie") || flag.contains("sanitize");
            recipe.flags = self.build.options.flags.iter().filter(decides).cloned().collect();
            if !self.is_main() {
                recipe.flags.push("-DPLUMB_CALL".into());
            }
            replay::object_code(&recipe, 0, Some(self.cancel)).map(Arc::new).map_err(|error| error.to_string())
        });
        recipe.objects.push(driver.clone()?);
        let binary = replay::compile(&recipe, Some(self.cancel)).map_err(|error| error.to_string())?;
        let files = [(PathBuf::from("plumb-tests"), self.file(inputs))];
        let conditions = Conditions { files: &files, cancel: Some(self.cancel), ..Conditions::default() };
        let time_ms = 10_000 + inputs.len() as u64 * 50;
        let budget = Budget { time_ms, output: 256 << 20, ..Budget::default() };
        let run = binary
            .run(&Input::default(), &budget, &conditions)
            .map_err(|error| format!("the compiled program could not be started: {error}"))?;
        let result =
            self.program.types.signature(function.ty).and_then(|s| ValueType::of(&self.program.types, s.result));
        let mut outcomes = read(&run.outcome.stdout, if self.is_main() { None } else { result });
        // What the driver did not come to counts as hanging.
        let hung = || Outcome {
            ending: Ending::OutOfBudget { limit: Limit::Time, span: Span::NONE },
            stdout: Vec::new(),
            stderr: Vec::new(),
            steps: 0,
        };
        outcomes.resize_with(inputs.len(), hung);
        Ok(outcomes)
    }

    /// The unit that defines the entry.
    fn home(&self) -> usize {
        let function = &self.program.functions[self.entry];
        let file = self.program.sources.used(function.span).map(|region| region.start.file);
        let path = file.map(|file| self.program.sources.file(file).path.clone()).unwrap_or_default();
        self.build.files.iter().position(|known| known.display().to_string() == path).unwrap_or(0)
    }

    /// C text that calls the entry with the parameters of a test.
    fn call(&self) -> Result<String, String> {
        let function = &self.program.functions[self.entry];
        let mut arguments = Vec::new();
        for (index, &param) in function.params.iter().enumerate() {
            let ty = ValueType::of(&self.program.types, function.locals[param].ty)
                .ok_or_else(|| format!("the parameter `{}` is no number", function.locals[param].name))?;
            let array = if ty.is_int() { "ints" } else { "reals" };
            arguments.push(format!("({})plumb_repair_{array}[{index}]", ty.c_name()));
        }
        let call = format!("{}({})", function.name, arguments.join(", "));
        Ok(format!(
            "\nextern long long plumb_repair_ints[]; extern double plumb_repair_reals[];\n\
             extern void plumb_repair_returned(long long, double);\n\
             int plumb_repair_target(int, char **, char **);\n\
             int plumb_repair_target(int plumb_count, char **plumb_values, char **plumb_environment) {{\n\
             (void)plumb_count; (void)plumb_values; (void)plumb_environment;\n\
             {} return 0; }}\n",
            match self.program.types.signature(function.ty).and_then(|s| ValueType::of(&self.program.types, s.result)) {
                Some(ValueType::Int(_)) => format!("plumb_repair_returned((long long){call}, 0.0);"),
                _ => format!("plumb_repair_returned(0, (double){call});"),
            }
        ))
    }

    fn file(&self, inputs: &[&Input]) -> Vec<u8> {
        let mut file = Vec::new();
        let number = |file: &mut Vec<u8>, value: usize| file.extend((value as u32).to_le_bytes());
        number(&mut file, TIME_MS as usize);
        for input in inputs {
            number(&mut file, input.args.len());
            for arg in &input.args {
                number(&mut file, arg.len());
                file.extend(arg.as_bytes());
            }
            number(&mut file, input.stdin.len());
            file.extend(&input.stdin);
            number(&mut file, input.params.len());
            for param in &input.params {
                file.extend(match param {
                    Scalar::Int(value) => (*value as i64).to_le_bytes(),
                    Scalar::Float(value) => value.to_bits().to_le_bytes(),
                });
            }
        }
        file
    }
}

/// The answers as the driver wrote them, up to where it stopped.
fn read(mut bytes: &[u8], result: Option<ValueType>) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    while bytes.len() >= 12 {
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
        let (how, code, size) = (number(0), number(4), number(8) as usize);
        let Some(output) = bytes.get(12..12 + size) else { break };
        bytes = &bytes[12 + size..];
        let eight = |at: usize| output.get(at..at + 8).and_then(|b| b.try_into().ok());
        let ending = match (how, result) {
            (0, None) => Ending::Exited(code as i32),
            // A value of an unsigned type comes as its bits.
            (0, Some(ValueType::Int(kind))) if output.len() == 16 => {
                Ending::Returned(eight(0).map(|b| Scalar::Int(kind.wrap(i128::from(i64::from_le_bytes(b))))))
            }
            (0, Some(ValueType::Float(_))) if output.len() == 16 => {
                Ending::Returned(eight(8).map(|b| Scalar::Float(f64::from_le_bytes(b))))
            }
            (0, Some(_)) => Ending::Exited(code as i32),
            (1, _) => Ending::Killed { signal: code as i32 },
            _ => Ending::OutOfBudget { limit: Limit::Time, span: Span::NONE },
        };
        outcomes.push(Outcome { ending, stdout: output.to_vec(), stderr: Vec::new(), steps: 0 });
    }
    outcomes
}
