//! Models of the C library: what a call means to a function the program declares and does not define.
//!
//! A model is a Rust function of a [`Call`], through which it reaches its arguments, the memory of the program and the
//! program's own functions. It gives the value of the call or says why the run stops. The contract of the function is checked: what C leaves undefined is a fault, and what
//! we have no model of is reported as unsupported.
//!
//! | file | what |
//! |---|---|
//! | [`string`], [`search`], [`tokens`] | string.h and strings.h: copies, comparisons, searches, tokens |
//! | [`heap`], [`stdlib`], [`sorting`], [`random`] | stdlib.h |
//! | [`ctype`], [`wide`], [`multibyte`] | ctype.h with the tables its macros read; wchar.h and wctype.h |
//! | [`math`], [`long_math`], [`builtins`], [`complex`] | math.h, and the compiler's own functions |
//! | [`streams`], [`names`], [`stdio`], [`printing`], [`scanning`], [`unix`], [`files`] | stdio.h, unistd.h and sys/mman.h on files in memory |
//! | [`errno`], [`diagnosing`], [`environment`], [`surroundings`], [`time`] | errors and complaints, time, locale, the process |
//! | [`signals`], [`getopt`], [`patterns`] | signals, options, regular expressions |
//! | [`host`], [`folders`] | folders of the host that a run was given |
//! | [`fortify`] | other names of the same functions, which headers substitute |
//!
//! *Departures from a native run*, all of them visible to the program: `time` is [`environment::TIME`], `clock`
//! advances by a millisecond a call, `getenv` finds what the run was given, the file system is empty at the start and lives in memory, but for folders of the
//! host that the run was given.
//! A transcendental function of math.h gives what the C library of this machine gives.

pub mod builtins;
pub mod complex;
pub mod ctype;
pub mod diagnosing;
pub mod environment;
pub mod errno;
pub mod files;
pub mod folders;
pub mod fortify;
pub mod getopt;
pub mod heap;
pub mod host;
pub mod inspection;
pub mod long_math;
pub mod math;
pub mod multibyte;
pub mod names;
pub mod patterns;
pub mod printing;
pub mod prototype;
pub mod random;
pub mod scanning;
pub mod search;
pub mod signals;
pub mod sorting;
pub mod stdio;
pub mod stdlib;
pub mod streams;
pub mod string;
pub mod surroundings;
pub mod threads;
pub mod time;
pub mod tokens;
pub mod unix;
pub mod wide;

use crate::memory::{Address, Fault, Memory};
use crate::outcome::{Budget, Input};
use crate::vm::{Call, LibraryTable, Machine, Stop, Value};
use diagnostics::{Rule, Span};
use prototype::Prototype;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What a model gives.
type Answer = Result<Value, Stop>;

type ModelFn = fn(&mut Call<'_, '_>) -> Answer;

/// The C library, as the VM takes it.
pub const LIBRARY: LibraryTable = LibraryTable {
    find: |name| lookup(name).map(|model| model.run).or_else(|| inspection::find(name).or_else(|| threads::find(name))),
    objects: OBJECTS,
    start: |input: &Input, budget: &Budget| Box::new(Library::of_run(input, budget)),
    open: |machine, bytes| {
        let (memory, library) = machine.library_as::<Library>();
        library.streams.reading(memory, bytes)
    },
    leave: run_at_exit,
};

/// The prototype of a function in C, and what it does.
type Entry = (&'static str, ModelFn);

/// A library function we know.
pub struct Model {
    /// The prototype as C writes it.
    pub declaration: &'static str,
    pub prototype: Prototype,
    pub run: ModelFn,
    /// The header that declares it, or a word for where it comes from.
    pub header: &'static str,
}

static MODELS: LazyLock<BTreeMap<&'static str, Model>> = LazyLock::new(|| {
    let tables: &[(&'static str, &[Entry])] = &[
        ("string.h", string::MODELS),
        ("string.h", search::MODELS),
        ("string.h", tokens::MODELS),
        ("stdlib.h", heap::MODELS),
        ("stdlib.h", stdlib::MODELS),
        ("stdlib.h", sorting::MODELS),
        ("stdlib.h", random::MODELS),
        ("ctype.h", ctype::MODELS),
        ("wchar.h", wide::MODELS),
        ("wchar.h", multibyte::MODELS),
        ("math.h", math::MODELS),
        ("math.h", long_math::MODELS),
        ("compiler", builtins::MODELS),
        ("compiler", complex::MODELS),
        ("stdio.h", stdio::MODELS),
        ("stdio.h", printing::MODELS),
        ("stdio.h", scanning::MODELS),
        ("unistd.h", unix::MODELS),
        ("unistd.h", files::MODELS),
        ("unistd.h", surroundings::MODELS),
        ("err.h", diagnosing::MODELS),
        ("regex.h", patterns::MODELS),
        ("errno.h", errno::MODELS),
        ("time.h", environment::MODELS),
        ("time.h", time::MODELS),
        ("signal.h", signals::MODELS),
        ("dirent.h", folders::MODELS),
        ("getopt.h", getopt::MODELS),
        ("fortify", fortify::MODELS),
    ];
    let mut models = BTreeMap::new();
    let mut add = |name, model: Model| {
        let before = models.insert(name, model);
        assert!(before.is_none(), "`{name}` should have one model");
    };
    for &(header, table) in tables {
        for &(declaration, run) in table {
            let (name, prototype) = prototype::parse(declaration);
            add(name, Model { declaration, prototype, run, header });
        }
    }
    for &(name, same) in fortify::ALIASES {
        let model = &models[same];
        let alias = Model { prototype: model.prototype.clone(), header: "fortify", ..*model };
        models.insert(name, alias);
    }
    models
});

/// The model of a library function. The compiler knows many of them by a second name, `__builtin_memcpy`.
pub fn lookup(name: &str) -> Option<&'static Model> {
    MODELS.get(name).or_else(|| MODELS.get(name.strip_prefix("__builtin_")?))
}

/// Every function that has a model, in the order of their names.
pub fn names() -> impl Iterator<Item = (&'static str, &'static Model)> {
    MODELS.iter().map(|(&name, model)| (name, model))
}

/// What the library remembers from call to call in one run.
pub struct Library {
    streams: streams::Streams,
    errno: Option<Address>,
    /// The `errno` of the other threads.
    errnos: BTreeMap<usize, Address>,
    strtok: Address,
    at_exit: Vec<Address>,
    at_quick_exit: Vec<Address>,
    /// What the program goes by, `argv[0]`.
    name: Vec<u8>,
    umask: u32,
    patterns: BTreeMap<Address, patterns::Pattern>,
    random: random::Generator,
    ctype: Option<ctype::Tables>,
    getopt: getopt::State,
    /// What `signal` was told, by number.
    handlers: BTreeMap<i32, Address>,
    /// The signals whose handlers are told more than the number.
    informed: BTreeSet<i32>,
    environment: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Values that `putenv` was given, where they are.
    placed: BTreeMap<Vec<u8>, Address>,
    /// The program declares `environ`.
    shows_environment: bool,
    /// The folders that are being read, by the address of their `DIR`.
    folders: BTreeMap<Address, folders::Reading>,
    /// How many names `tmpnam` has made up.
    names_made: u32,
    /// How often `clock` was asked.
    ticks: i64,
    /// Strings the library hands out, by what they say.
    strings: BTreeMap<Vec<u8>, Address>,
}

impl Library {
    /// The library at the start of a run. More bytes written to all files together than the budget has end the run.
    fn of_run(input: &Input, budget: &Budget) -> Library {
        let host = host::Host::new(&input.folders);
        let environment = input.environment.iter().map(|(name, value)| (name.clone().into(), value.clone().into()));
        Library {
            streams: streams::Streams::new(input.stdin.clone(), budget.output, host),
            environment: environment.collect(),
            folders: BTreeMap::new(),
            names_made: 0,
            errno: None,
            errnos: BTreeMap::new(),
            strtok: Address::NULL,
            at_exit: Vec::new(),
            at_quick_exit: Vec::new(),
            name: input.name.as_deref().unwrap_or(crate::vm::PROGRAM).into(),
            umask: 0o022,
            patterns: BTreeMap::new(),
            placed: BTreeMap::new(),
            shows_environment: false,
            random: random::Generator::new(1),
            ctype: None,
            getopt: getopt::State::default(),
            handlers: BTreeMap::new(),
            informed: BTreeSet::new(),
            ticks: 0,
            strings: BTreeMap::new(),
        }
    }

    /// The last part of the program's name.
    fn short_name(&self) -> &[u8] {
        self.name.rsplit(|&b| b == b'/').next().unwrap_or_default()
    }
}

impl crate::vm::Library for Library {
    fn object(&mut self, name: &str, at: Address, memory: &mut Memory<'_>) -> Result<(), Stop> {
        let size = memory.info(at).map_or(0, |info| info.size);
        match name {
            "stdin" | "stdout" | "stderr" if size == 8 => {
                let file = self.streams.standard(memory, name)?;
                memory.initialise(at, 0, &file.0.to_le_bytes());
            }
            "optarg" | "optind" | "opterr" | "optopt" => self.getopt.define(memory, name, at, size),
            "environ" | "__environ" => {
                self.shows_environment = true;
                let count = self.environment.len() as u64;
                let list = memory.allocate_library((count + 1) * 8, "the environment")?;
                for (index, (name, value)) in (0..).zip(&self.environment) {
                    let text = [name.as_slice(), b"=", value].concat();
                    let text = memory.allocate_string(&text, false, "a variable of the environment")?;
                    memory.initialise(list, index * 8, &text.0.to_le_bytes());
                }
                memory.initialise(at, 0, &list.0.to_le_bytes());
            }
            "program_invocation_name" | "program_invocation_short_name" | "__progname" | "__progname_full" => {
                let full = matches!(name, "program_invocation_name" | "__progname_full");
                let text = if full { self.name.as_slice() } else { self.short_name() };
                let text = memory.allocate_string(text, false, "the name of the program")?;
                memory.initialise(at, 0, &text.0.to_le_bytes());
            }
            other => return Err(Stop::unsupported(format!("the variable `{other}` of the C library"))),
        }
        Ok(())
    }

    fn take_output(&mut self) -> (Vec<u8>, Vec<u8>) {
        self.streams.take_output()
    }

    fn left_open(&self) -> Vec<(String, Span)> {
        let folders = self.folders.values().map(|folder| ("a folder".to_string(), folder.opened));
        self.streams.left_open().chain(folders).collect()
    }

    fn switch_thread(&mut self, from: usize, to: usize) {
        if let Some(errno) = self.errno.take() {
            self.errnos.insert(from, errno);
        }
        self.errno = self.errnos.get(&to).copied();
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The variables of the library.
pub const OBJECTS: &[&str] = &[
    "stdin",
    "stdout",
    "stderr",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "environ",
    "__environ",
    "program_invocation_name",
    "program_invocation_short_name",
    "__progname",
    "__progname_full",
];

/// Runs what was registered with `atexit`, last first.
fn run_at_exit(machine: &mut Machine<'_>) -> Result<(), Stop> {
    while let Some(function) = machine.library_as::<Library>().1.at_exit.pop() {
        machine.call(function, &[])?;
    }
    Ok(())
}

/// A fault of the call.
fn fault<T>(rule: Rule, message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fault(Fault::new(rule, message)))
}

fn bad_argument<T>(message: impl Into<String>) -> Result<T, Stop> {
    fault(Rule::BadArgument, message)
}

/// Counts work on `bytes` bytes, so that the budget bounds programs that only ever call into the library.
fn work(call: &mut Call<'_, '_>, bytes: u64) -> Result<(), Stop> {
    if bytes < 64 { Ok(()) } else { call.machine.charge(bytes / 16) }
}

/// The library's own state.
fn library<'c>(call: &'c mut Call<'_, '_>) -> &'c mut Library {
    call.library::<Library>()
}

/// A read-only string of the library, the same one for the same text.
fn library_string(call: &mut Call<'_, '_>, text: &[u8]) -> Result<Address, Stop> {
    let (memory, library) = call.memory_and_library::<Library>();
    if let Some(&known) = library.strings.get(text) {
        return Ok(known);
    }
    let address = memory.allocate_string(text, true, "a string of the library")?;
    library.strings.insert(text.to_vec(), address);
    Ok(address)
}

/// The C string that an argument points to, copied out.
fn string_argument(call: &mut Call<'_, '_>, index: usize) -> Result<Vec<u8>, Stop> {
    let address = call.pointer(index)?;
    Ok(call.memory().c_string(address)?.to_vec())
}

/// Refuses two ranges that share bytes.
fn refuse_overlap(function: &str, a: Address, a_length: u64, b: Address, b_length: u64) -> Result<(), Stop> {
    let ends = |start: Address, length: u64| start.0.saturating_add(length);
    let apart = a_length == 0 || b_length == 0 || a.0 >= ends(b, b_length) || b.0 >= ends(a, a_length);
    if apart {
        return Ok(());
    }
    fault(Rule::MemoryOverlap, format!("the regions given to `{function}` overlap"))
}

fn null() -> Answer {
    Ok(Value::pointer(Address::NULL))
}

fn int(value: i32) -> Answer {
    Ok(Value::signed(i64::from(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prototype_is_read_and_found_again() {
        // Reading the table panics on a type that prototypes do not know and on a name that comes twice.
        assert!(names().count() > 400);
        for (name, model) in names() {
            assert!(lookup(name).is_some_and(|found| std::ptr::eq(found, model)));
        }
        assert_eq!(lookup("__builtin_memcpy").map(|model| model.declaration), lookup("memcpy").map(|m| m.declaration));
        assert!(lookup("no_such_function").is_none());
    }
}
