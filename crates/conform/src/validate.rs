//! Validates a counterexample on the compiled programs: the producer runs, what it writes goes to the consumer, and the
//! consumer fails.
//!
//! Inputs are arguments and standard input: first those that make the producer follow the path of the counterexample
//! ([`super::follow`]), then some of our own making, from nothing to random bytes. A pair of runs counts when the
//! producer ends well, what it wrote has the shape of the counterexample, and the consumer does not end well.
//! Functions that the programs only declare are given bodies, so that a pair that is still without its transport can be
//! run: those that `io.toml` says move one number move its bytes, others return numbers from the producer's standard
//! input, and in the consumer whether there is more to read. That is said with the result.
//!
//! *May miss*: programs that talk over files or sockets, or need inputs that nobody guesses; then nothing is validated.

use super::cells::without_conversions;
use super::follow::follow;
use super::kinds::{Form, Item, Kinds, Repeat, Text, What};
use super::table::{Action, Io, Role};
use super::verdict::named;
use super::{Config, Counterexample};
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input};
use ir::{ExprKind, Program, StmtKind, Type, TypeId};
use replay::{Binary, Conditions, Recipe, Source, compile};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Validation {
    Validated {
        /// Arguments of the producer.
        args: Vec<String>,
        /// Standard input of the producer.
        input: Vec<u8>,
        /// What it wrote.
        message: Vec<u8>,
        /// How the consumer ended.
        ending: String,
        /// Functions that are only declared, and were given bodies.
        given: Vec<String>,
        /// Whether the input was sought to follow the path of the counterexample, not guessed.
        sought: bool,
    },
    /// Why not, as a sentence without its full stop.
    NotValidated(String),
}

/// One side: its files, and the program they are.
#[derive(Clone, Copy, Debug)]
pub struct Runnable<'a> {
    pub files: &'a [PathBuf],
    pub program: &'a Program,
}

/// Random inputs besides the small ones.
const TRIES: usize = 16;

/// Runs both programs until a pair of runs shows the counterexample.
pub fn validate(
    producer: Runnable,
    consumer: Runnable,
    counterexample: &Counterexample,
    config: &Config,
    flags: &[String],
    seed: u64,
) -> Validation {
    let (io, cancel) = (&config.io, &*config.deadline.cancel);
    let program = producer.program;
    let mut io = io.clone();
    let mut given: BTreeSet<String> = BTreeSet::new();
    let mut build = |side: Runnable, role: Role| {
        let mut sources: Vec<Source> = side.files.iter().map(Source::file).collect();
        let bodies = bodies(side.program, role, &io);
        if !bodies.is_empty() {
            let text: String = bodies.iter().map(|(_, text)| text.as_str()).collect();
            given.extend(bodies.into_iter().map(|(name, _)| name));
            let text = format!("#include <stdio.h>\n#include <stdlib.h>\n{text}");
            sources.push(Source::text("plumb-bodies.c", text));
        }
        let mut recipe = Recipe::new(sources);
        recipe.flags = flags.to_vec();
        compile(&recipe, Some(cancel))
    };
    let (producer, consumer) = match (build(producer, Role::Producer), build(consumer, Role::Consumer)) {
        (Ok(producer), Ok(consumer)) => (producer, consumer),
        (Err(_), _) => return not("the producer cannot be built as a program of its own"),
        (_, Err(_)) => return not("the consumer cannot be built as a program of its own"),
    };
    let shape = Shape::of(&counterexample.message, &mut io.kinds, io.big_endian);
    let success = |role: Role, ending: &Ending| match ending {
        Ending::Exited(status) => io.side(role).success.contains(&i128::from(*status)),
        _ => false,
    };
    let budget = Budget { time_ms: 2_000, output: 1 << 20, memory: 256 << 20, ..Budget::default() };
    let conditions = Conditions { cancel: Some(cancel), ..Conditions::default() };
    let run = |binary: &Binary, args: &[String], stdin: &[u8]| {
        let given = Input { args: args.to_vec(), stdin: stdin.to_vec(), ..Input::default() };
        binary.run(&given, &budget, &conditions).ok().map(|ran| ran.outcome)
    };
    let (mut ended, mut alike) = (0, 0);
    let mut seen = BTreeSet::new();
    let mut shown = None;
    // Whether a pair of runs shows the failure.
    let mut attempt = |args: &[String], input: &[u8], sought: bool| {
        let Some(wrote) = run(&producer, args, input) else { return false };
        if !success(Role::Producer, &wrote.ending) {
            return false;
        }
        ended += 1;
        if !shape.fits(&wrote.stdout) || !seen.insert(wrote.stdout.clone()) {
            return false;
        }
        alike += 1;
        let Some(read) = run(&consumer, &[], &wrote.stdout) else { return false };
        let ending = match read.ending {
            ref ending if success(Role::Consumer, ending) => return false,
            Ending::Exited(status) => format!("exit status {status}"),
            Ending::Killed { signal } => format!("signal {signal}"),
            Ending::Faulted(finding) => finding.message,
            Ending::OutOfBudget { .. } => "it does not end".to_string(),
            _ => return false,
        };
        let given = given.iter().cloned().collect();
        let (args, input) = (args.to_vec(), input.to_vec());
        shown = Some(Validation::Validated { args, input, message: wrote.stdout, ending, given, sought });
        true
    };
    let mut done = false;
    follow(program, &counterexample.path, seed, &config.deadline.cancel, &mut |args, input| {
        done = attempt(args, input, true);
        done
    });
    if !done {
        let _ = inputs(seed).iter().any(|(args, input)| attempt(args, input, false));
    }
    match (shown, ended, alike) {
        (Some(shown), ..) => shown,
        (_, 0, _) => not("no input that was found makes the producer end well"),
        (_, _, 0) => not("no input that was found makes the producer write such a message"),
        _ => not("the consumer ends well on every such message that inputs were found for"),
    }
}

/// Functions that open what is not standard input or output; messages may go there, and whether it is there is not known.
const OPENING: [&str; 14] = [
    "fopen", "fopen64", "freopen", "fdopen", "open", "open64", "openat", "creat", "socket", "popen", "pipe", "tmpfile",
    "opendir", "mkstemp",
];

/// The signal by which a program ends itself.
const SIGABRT: i32 = 6;

/// Runs both programs, of which the languages say that every message is accepted, and seeks a message that the consumer
/// refuses by what it says. Only standard input and output count; a consumer that may need arguments or an environment
/// must have accepted another message, else it would be taken at its word for what it misses.
pub fn refused_in_runs(
    producer: Runnable,
    consumer: Runnable,
    config: &Config,
    flags: &[String],
    seed: u64,
) -> Option<Validation> {
    let cancel = &*config.deadline.cancel;
    let calls = |side: Runnable, names: &[&str]| {
        side.program.functions.values().any(|f| f.body.is_none() && names.contains(&f.name.as_str()))
    };
    let complete = [(producer, Role::Producer), (consumer, Role::Consumer)]
        .iter()
        .all(|(side, role)| !calls(*side, &OPENING) && bodies(side.program, *role, &config.io).is_empty());
    if !complete {
        return None;
    }
    let build = |side: Runnable| {
        let mut recipe = Recipe::new(side.files.iter().map(Source::file));
        recipe.flags = flags.to_vec();
        compile(&recipe, Some(cancel)).ok()
    };
    let main = consumer.program.find_function("main")?;
    let needs_nothing =
        consumer.program.functions[main].params.is_empty() && !calls(consumer, &["getenv", "secure_getenv"]);
    let (writer, reader) = (build(producer)?, build(consumer)?);
    let good = |role: Role, status: i32| config.io.side(role).success.contains(&i128::from(status));
    let budget = Budget { time_ms: 1_000, output: 1 << 20, memory: 256 << 20, ..Budget::default() };
    let conditions = Conditions { cancel: Some(cancel), ..Conditions::default() };
    let run = |binary: &Binary, args: &[String], stdin: &[u8]| {
        let given = Input { args: args.to_vec(), stdin: stdin.to_vec(), ..Input::default() };
        binary.run(&given, &budget, &conditions).ok().map(|ran| ran.outcome)
    };
    let (mut accepts, mut refused) = (needs_nothing, None);
    let mut seen = BTreeSet::new();
    let mentioned = mentioned_inputs(producer.program);
    for (args, input) in inputs(seed).into_iter().chain(telling_inputs()).chain(mentioned) {
        if config.deadline.is_over() || accepts && refused.is_some() {
            break;
        }
        let Some(wrote) = run(&writer, &args, &input) else { continue };
        if !matches!(wrote.ending, Ending::Exited(status) if good(Role::Producer, status))
            || !seen.insert(wrote.stdout.clone())
        {
            continue;
        }
        let ending = match run(&reader, &[], &wrote.stdout).map(|read| read.ending) {
            Some(Ending::Exited(status)) if good(Role::Consumer, status) => {
                accepts = true;
                continue;
            }
            Some(Ending::Exited(status)) => format!("exit status {status}"),
            // An assertion that does not hold.
            Some(Ending::Killed { signal: SIGABRT }) => format!("signal {SIGABRT}"),
            // What takes long may be slow, and what the sandbox ends might have gone on.
            _ => continue,
        };
        let message = wrote.stdout;
        if refused.is_some() || !is_defined(producer.program, &args, &input, &message, config) {
            continue;
        }
        refused = Some(Validation::Validated { args, input, message, ending, given: Vec::new(), sought: false });
    }
    refused.filter(|_| accepts)
}

/// Whether the VM sees the producer write the same message, without undefined behaviour: `printf("%s", argv[2])` of a program
/// that was given one argument writes something, and nobody has to read that.
fn is_defined(program: &Program, args: &[String], stdin: &[u8], message: &[u8], config: &Config) -> bool {
    let Some(main) = program.find_function("main") else { return false };
    let given = Input { args: args.to_vec(), stdin: stdin.to_vec(), ..Input::default() };
    let options = Options { cancel: Some(config.deadline.cancel.clone()), ..Options::default() };
    let image = Image::new(program, exec::libc::LIBRARY);
    let outcome = Machine::new(&image).run(main, &given, &Budget::default(), options).outcome;
    matches!(outcome.ending, Ending::Exited(_)) && outcome.stdout == message
}

/// Inputs whose values are at the limits of what readers expect: signs, spaces, nothing, much.
fn telling_inputs() -> Vec<(Vec<String>, Vec<u8>)> {
    let long = "x".repeat(300);
    let values = ["-1", "-2147483648", "2147483647", "4294967295", "300", "1.5", "1e30", "a b", "", "a,b", "\"", &long];
    let mut all: Vec<(Vec<String>, Vec<u8>)> = Vec::new();
    for value in values {
        for args in [&[value][..], &[value, "1"], &["a", value], &["1", value, "2"]] {
            all.push((args.iter().map(|arg| arg.to_string()).collect(), Vec::new()));
        }
        all.push((Vec::new(), format!("{value}\n").into_bytes()));
    }
    for count in [4, 12, 40] {
        let numbers: Vec<String> = (0..count).map(|number| number.to_string()).collect();
        all.push((Vec::new(), (numbers.join("\n") + "\n").into_bytes()));
        all.push((numbers, Vec::new()));
    }
    all
}

/// How many numbers of a producer's text are tried as its input.
const MOST_MENTIONED: usize = 24;

/// What the producer compares with, as a byte and as a number.
fn mentioned_inputs(program: &Program) -> Vec<(Vec<String>, Vec<u8>)> {
    let mut numbers = BTreeSet::new();
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Switch { arms, .. } = &stmt.kind {
                arms.iter().for_each(|arm| numbers.extend([arm.low, arm.high]));
            }
            for expr in stmt.exprs() {
                expr.walk(&mut |part| {
                    if let ExprKind::Binary(op, a, b) = &part.kind
                        && op.is_comparison()
                    {
                        numbers.extend([a, b].into_iter().filter_map(|side| match without_conversions(side).kind {
                            ExprKind::Int(number) => Some(number),
                            _ => None,
                        }));
                    }
                });
            }
        });
    }
    let mut all = Vec::new();
    for number in numbers.into_iter().take(MOST_MENTIONED) {
        let text = number.to_string();
        all.push((Vec::new(), format!("{text}\n").into_bytes()));
        all.push((vec![text], Vec::new()));
        all.extend(u8::try_from(number).ok().map(|byte| (Vec::new(), vec![byte])));
    }
    all
}

fn not(why: &str) -> Validation {
    Validation::NotValidated(why.to_string())
}

fn inputs(seed: u64) -> Vec<(Vec<String>, Vec<u8>)> {
    let mut random = fastrand::Rng::with_seed(seed);
    let texts = ["", "0\n", "1\n", "1 2 3\n", "-1\n", "a\n", "hello world\n", "1\n2\n3\n4\n"];
    let mut stdins: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    while stdins.len() < texts.len() + TRIES {
        let length = random.usize(1..64);
        let text = random.bool();
        stdins.push((0..length).map(|_| if text { random.u8(b' '..=b'~') } else { random.u8(..) }).collect());
    }
    let mut all: Vec<(Vec<String>, Vec<u8>)> = stdins.into_iter().map(|stdin| (Vec::new(), stdin)).collect();
    for args in [&["1"][..], &["0"], &["3"], &["a"], &["1", "2"], &["a", "b", "c"]] {
        all.push((args.iter().map(|arg| arg.to_string()).collect(), Vec::new()));
    }
    all
}

/// The bytes that a message may be.
struct Shape(Vec<Part>);

enum Part {
    Bytes(usize),
    Exactly(Vec<u8>),
    /// One character or more of these.
    Some(fn(u8) -> bool),
    Anything,
}

impl Shape {
    fn of(message: &[String], kinds: &mut Kinds, big_endian: bool) -> Shape {
        let mut parts = Vec::new();
        for name in message {
            let (kind, value) = named(name, kinds);
            let elements = kinds.elements(kind);
            for element in &elements {
                parts.push(match (kinds.form(*element), value.filter(|_| elements.len() == 1)) {
                    (Some(Form::Integer(bits)), Some(value)) if bits.is_multiple_of(8) => {
                        let mut bytes = value.to_le_bytes()[..bits as usize / 8].to_vec();
                        if big_endian {
                            bytes.reverse();
                        }
                        Part::Exactly(bytes)
                    }
                    (Some(Form::Integer(bits) | Form::Float(bits)), _) if bits.is_multiple_of(8) => {
                        Part::Bytes(bits as usize / 8)
                    }
                    (Some(Form::Text(Text::Int)), _) => Part::Some(|c| c.is_ascii_digit() || c == b'-'),
                    (Some(Form::Text(_)), _) => Part::Some(|c| !c.is_ascii_whitespace()),
                    // What follows the first character is part of what was said about it.
                    (Some(Form::MoreText(_)), _) => continue,
                    (Some(Form::Blank), _) => Part::Exactly(b" ".to_vec()),
                    (Some(Form::Newline), _) => Part::Exactly(b"\n".to_vec()),
                    _ if kinds.name(*element) == "bool" => Part::Bytes(1),
                    _ => Part::Anything,
                });
            }
        }
        Shape(parts)
    }

    fn fits(&self, bytes: &[u8]) -> bool {
        // The positions that the parts so far can reach.
        let mut now = BTreeSet::from([0]);
        for part in &self.0 {
            let mut after = BTreeSet::new();
            for start in now {
                match part {
                    Part::Bytes(count) => after.extend((start + count <= bytes.len()).then_some(start + count)),
                    Part::Exactly(text) => {
                        after.extend(bytes[start..].starts_with(text).then_some(start + text.len()));
                    }
                    Part::Some(of) => {
                        let run = bytes[start..].iter().take_while(|byte| of(**byte)).count();
                        after.extend(start + 1..=start + run);
                    }
                    Part::Anything => after.extend(start..=bytes.len()),
                }
            }
            now = after;
        }
        now.contains(&bytes.len())
    }
}

/// Bodies for functions that are only declared, by their names.
fn bodies(program: &Program, role: Role, io: &Io) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (_, function) in program.functions.iter().filter(|(_, function)| function.body.is_none()) {
        let Some(signature) = program.types.signature(function.ty) else { continue };
        let system = program.sources.used(function.span).is_none_or(|region| {
            let path = &program.sources.file(region.start.file).path;
            path.starts_with("/usr/") || path.starts_with('<')
        });
        let plain = |ty: &TypeId| matches!(program.types.get(*ty), Type::Int(_) | Type::Float(_) | Type::Void);
        let known = signature.params.iter().chain([&signature.result]).all(plain) && !signature.variadic;
        if system || !known || exec::libc::lookup(&function.name).is_some() {
            continue;
        }
        let name = &function.name;
        let table = if role == Role::Producer { &io.writes } else { &io.reads };
        let result = ir::c_type(program, None, signature.result);
        let body = match table.get(name) {
            Some(Action::Moves(moves)) => {
                let [Item { what: What::Kind(kind), repeat: Repeat::Once }] = moves.pattern[..] else { continue };
                let width = match io.kinds.form(kind) {
                    Some(Form::Integer(bits) | Form::Float(bits)) if bits.is_multiple_of(8) => bits / 8,
                    _ if io.kinds.name(kind) == "bool" => 1,
                    _ => continue,
                };
                let float = matches!(io.kinds.form(kind), Some(Form::Float(_)));
                match (role, signature.params.len()) {
                    (Role::Producer, 1) => {
                        format!("{} fwrite(&w, {width}, 1, stdout);", variable(float, width, "a0"))
                    }
                    (Role::Consumer, 0) => {
                        let variable = variable(float, width, "0");
                        format!("{variable} if (fread(&w, {width}, 1, stdin) != 1) exit(99); return w;")
                    }
                    _ => continue,
                }
            }
            Some(_) => continue,
            None if result == "void" => String::new(),
            None if role == Role::Producer => "int w; return scanf(\"%d\", &w) == 1 ? w : 0;".to_string(),
            None => "int w = getchar(); if (w != EOF) ungetc(w, stdin); return w != EOF;".to_string(),
        };
        let params = signature.params.iter().enumerate();
        let params: Vec<String> =
            params.map(|(number, ty)| ir::c_declaration(program, None, *ty, &format!("a{number}"))).collect();
        let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
        let text = format!("{} {name}({params}) {{ {body} }}\n", result);
        found.push((name.clone(), text));
    }
    found
}

/// A variable `w` of so many bytes with that value.
fn variable(float: bool, bytes: u32, value: &str) -> String {
    let ty = match (float, bytes) {
        (true, 4) => "float",
        (true, _) => "double",
        (_, 1) => "unsigned char",
        (_, 2) => "unsigned short",
        (_, 4) => "unsigned int",
        _ => "unsigned long",
    };
    format!("{ty} w = {value};")
}
