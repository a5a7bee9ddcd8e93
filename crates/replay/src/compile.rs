//! From sources to a runnable file: the compiler's calls, the driver for an entry other than `main`, the runtime.

use super::run::Binary;
use exec::ValueType;
use exec::trace::Trace;
use sandbox::{Job, Limits, Own, Policy, Scratch, Start, Stop, View, environment, hand_over, not_a_flag, take_back};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::Duration;

/// Bytes of a variable that is only declared: the linker does not say how many it has.
const MISSING_VARIABLE: u32 = 1 << 16;

/// A translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// As the compiler should name it. Quoted includes are searched in its folder first.
    pub path: PathBuf,
    /// Compiled in place of the file's contents: the text with probes in it, lines where they were.
    pub text: Option<Vec<u8>>,
    /// The flags of this unit, where they are not those of the recipe.
    pub flags: Option<Vec<String>>,
    /// All that is `static` in the unit: a driver in a file of its own knows it by pointers that are added to the unit, the
    /// same for all entries.
    pub statics: Vec<String>,
}

impl Source {
    pub fn file(path: impl Into<PathBuf>) -> Source {
        Source { path: path.into(), text: None, flags: None, statics: Vec::new() }
    }

    pub fn text(path: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Source {
        Source { text: Some(text.into()), ..Source::file(path) }
    }

    /// The name of the pointer to something `static`: units may have the same name for different things.
    fn pointer(&self, name: &str) -> String {
        let path = self.path.to_string_lossy();
        let unit: String = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        format!("{POINTER}{unit}_{name}")
    }

    fn pointers(&self) -> String {
        let pointer = |name: &String| format!("void *const {} = (void *)&{name};\n", self.pointer(name));
        self.statics.iter().map(pointer).collect()
    }
}

/// What the names of pointers to something `static` begin with.
const POINTER: &str = "plumb_static_";

/// An entry other than `main`: a function whose parameters are given by [`Input::params`](exec::Input).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which source defines it; it may be `static` there.
    pub source: usize,
    pub name: String,
    pub params: Vec<ValueType>,
    /// `None` for `void`, and for results that are not reported.
    pub result: Option<ValueType>,
    /// For parameters that are no numbers: the arguments of the call as C expressions, in which
    /// `plumb_pointer(&plumb_at, N)` is the next object, for argument N, and `plumb_param_int(plumb_at++)` the next number of the input.
    pub arguments: Option<Vec<String>>,
    /// Globals that are set before the call, by name: after the arguments the input has an object for each. Only with
    /// `arguments`.
    pub globals: Vec<String>,
    /// How a driver outside the unit calls the entry, if it can: then the unit is compiled once for all its entries.
    pub outside: Option<Outside>,
}

/// What a driver in a file of its own must know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outside {
    /// The types of the result and of the parameters, as far as a call depends on them.
    pub result: String,
    pub params: Vec<String>,
    /// The sizes of the globals.
    pub sizes: Vec<u64>,
}

/// What to build.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub sources: Vec<Source>,
    /// The user's flags, for compiling and linking alike.
    pub flags: Vec<String>,
    /// `None`: the program's `main`.
    pub entry: Option<Entry>,
    /// The points that the inserted probes record to: `plumb_row(i, …)` is the point with id `i`. No rows.
    pub points: Trace,
    /// How many counters the inserted probes use: `plumb_count(i)`.
    pub counters: u32,
    /// Functions to define, empty, where the program declares but does not define them: `vtrace1` and the like.
    pub stubs: Vec<String>,
    /// Functions that nobody defines, in a program that is only part of one: calling one ends the run.
    pub missing: Vec<String>,
    /// Variables that are only declared: they are zero.
    pub missing_variables: Vec<String>,
    /// Object files to link besides, in memory.
    pub objects: Vec<Arc<Vec<u8>>>,
    /// Compile with the address and undefined-behaviour sanitizers; then there is no limit on memory.
    pub sanitize: bool,
    /// Compile without optimisation, whatever the flags say: with sanitizers that takes a fraction of the time, and no access
    /// is optimised away. An inline function that has no definition elsewhere is not there then.
    pub unoptimized: bool,
    /// The compiler's command; `None` takes `$CC`, else `cc`. May carry flags.
    pub compiler: Option<String>,
    /// For each call of the compiler.
    pub time: Duration,
}

impl Recipe {
    pub fn new(sources: impl IntoIterator<Item = Source>) -> Recipe {
        Recipe {
            sources: sources.into_iter().collect(),
            flags: Vec::new(),
            entry: None,
            points: Trace::new(),
            counters: 0,
            stubs: Vec::new(),
            missing: Vec::new(),
            missing_variables: Vec::new(),
            objects: Vec::new(),
            sanitize: false,
            unoptimized: false,
            compiler: None,
            time: Duration::from_secs(120),
        }
    }
}

/// Why there is no binary.
#[derive(Debug)]
pub enum CompileError {
    /// The compiler could not be started.
    NoCompiler {
        command: String,
        error: io::Error,
    },
    /// The compiler or linker reported errors.
    Refused {
        what: String,
        messages: String,
    },
    /// The compiler took longer than [`Recipe::time`].
    TimedOut {
        what: String,
    },
    Cancelled,
    /// A file of the build could not be read or written.
    Files {
        what: String,
        error: io::Error,
    },
}

impl CompileError {
    /// The names that the linker did not find, if that is what is wrong.
    pub fn undefined(&self) -> Vec<String> {
        let CompileError::Refused { messages, .. } = self else { return Vec::new() };
        let mut names: Vec<String> = messages
            .lines()
            .filter_map(|line| line.split_once("undefined reference to `"))
            .filter_map(|(_, rest)| rest.split_once('\'').map(|(name, _)| name.to_string()))
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CompileError::NoCompiler { command, error } => {
                write!(f, "the C compiler `{command}` cannot be started ({error}); install one or set CC")
            }
            CompileError::Refused { what, messages } => {
                write!(f, "the compiler refused {what}:\n{}", messages.trim_end())
            }
            CompileError::TimedOut { what } => write!(f, "the compiler did not come to an end on {what}"),
            CompileError::Cancelled => write!(f, "the build was cancelled"),
            CompileError::Files { what, error } => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for CompileError {}

/// Compiles and links in a private directory that lives as long as the binary.
pub fn compile(recipe: &Recipe, cancel: Option<&AtomicBool>) -> Result<Binary, CompileError> {
    let Some(entry) = recipe.entry.as_ref().filter(|entry| entry.outside.is_some()) else {
        return build(recipe, cancel);
    };
    let inside = || Recipe { entry: Some(Entry { outside: None, ..entry.clone() }), ..recipe.clone() };
    // A unit that is changed is compiled for this entry alone.
    if recipe.sources.get(entry.source).is_none_or(|source| source.text.is_some()) {
        return build(&inside(), cancel);
    }
    let is_ours = |name: &String| *name == entry.name || entry.globals.contains(name) || name.starts_with(POINTER);
    match build(recipe, cancel) {
        // An inline function, a name that is another one for the linker, one that is not seen at the end of the unit.
        Err(CompileError::Refused { what, messages }) => {
            let refused = CompileError::Refused { what, messages };
            let undefined = refused.undefined();
            match undefined.is_empty() || undefined.iter().any(is_ours) {
                true => build(&inside(), cancel),
                false => Err(refused),
            }
        }
        built => built,
    }
}

fn build(recipe: &Recipe, cancel: Option<&AtomicBool>) -> Result<Binary, CompileError> {
    let scratch = Scratch::new("build").map_err(files("the build directory cannot be made"))?;
    let compiler = Compiler::of(recipe, scratch.path(), cancel);
    let flags = building_flags(&recipe.flags);
    let (mut objects, runtime_code) = compile_all(recipe, &scratch, &compiler)?;
    for (index, bytes) in recipe.objects.iter().enumerate() {
        let object = scratch.path().join(format!("given-{index}.o"));
        hand_over(&object, bytes).map_err(files("the build directory"))?;
        objects.push(object);
    }
    if let Some((entry, outside)) = recipe.entry.as_ref().and_then(|entry| Some((entry, entry.outside.as_ref()?))) {
        let (source, object) = (scratch.path().join("driver.c"), scratch.path().join("driver.o"));
        hand_over(&source, driver_outside(&recipe.sources[entry.source], entry, outside).as_bytes())
            .map_err(files("the build directory"))?;
        let mut args = machine_flags(recipe.sources[entry.source].flags.as_ref().unwrap_or(&recipe.flags));
        args.extend(["-std=gnu11".into(), "-w".into(), "-c".into(), source.into(), "-o".into(), object.clone().into()]);
        compiler.call("the driver of the entry", args)?;
        objects.push(object);
    }
    let has_missing = !recipe.missing.is_empty() || !recipe.missing_variables.is_empty();
    if !recipe.stubs.is_empty() || has_missing {
        let mut text: String =
            recipe.stubs.iter().map(|s| format!("__attribute__((weak)) void {s}() {{}}\n")).collect();
        for name in &recipe.missing {
            let _ = writeln!(text, "__attribute__((weak)) void {name}() {{ __builtin_trap(); }}");
        }
        for name in &recipe.missing_variables {
            let _ = writeln!(text, "__attribute__((weak, aligned(64))) char {name}[{MISSING_VARIABLE}];");
        }
        let (source, object) = (scratch.path().join("stubs.c"), scratch.path().join("stubs.o"));
        hand_over(&source, text.as_bytes()).map_err(files("the build directory"))?;
        let mut args = machine_flags(&recipe.flags);
        args.extend(["-std=gnu11".into(), "-w".into(), "-c".into(), source.into(), "-o".into(), object.clone().into()]);
        compiler.call("the stubs of undefined functions", args)?;
        objects.push(object);
    }
    let runtime = scratch.path().join("runtime.o");
    hand_over(&runtime, &runtime_code).map_err(files("the build directory"))?;
    // The runtime comes last because its constructor must run after all others.
    objects.push(runtime);
    let program = scratch.path().join("program");
    let mut args: Vec<OsString> = objects.into_iter().map(OsString::from).collect();
    args.extend(flags);
    // The VM models the mathematical functions without being told to; so should the linker.
    args.extend(["-w".into(), "-o".into(), program.clone().into(), "-lm".into()]);
    compiler.call("the program at linking", args)?;
    // Behind some walls the linker cannot give this right itself.
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).map_err(files("the build directory"))?;
    Ok(Binary::new(scratch, program, recipe))
}

fn files(what: &str) -> impl FnOnce(io::Error) -> CompileError {
    let what = what.to_string();
    move |error| CompileError::Files { what, error }
}

/// The object file of one source, without linking. Equal bytes mean that the compiler sees no difference between two
/// texts of the same source.
pub fn object_code(recipe: &Recipe, index: usize, cancel: Option<&AtomicBool>) -> Result<Vec<u8>, CompileError> {
    let scratch = Scratch::new("build").map_err(files("the build directory cannot be made"))?;
    let object = compile_unit(recipe, index, "", &scratch, &Compiler::of(recipe, scratch.path(), cancel))?;
    take_back(&object, COMPILED_SIZE).map_err(files("the build directory"))
}

/// Compiles the unit of a number ahead of the builds that need it: later builds of this process with the same flags find it,
/// and so need less time of their own.
pub fn compile_ahead(recipe: &Recipe, index: usize, cancel: Option<&AtomicBool>) -> Result<(), CompileError> {
    let scratch = Scratch::new("build").map_err(files("the build directory cannot be made"))?;
    let compiler = Compiler::of(recipe, scratch.path(), cancel);
    compile_unit(recipe, index, &recipe.sources[index].pointers(), &scratch, &compiler).map(|_| ())
}

/// The object files of the sources and the code of the runtime, compiled side by side. The error is that of the first
/// source that has one: sources are begun in order, and what was begun is finished.
fn compile_all(
    recipe: &Recipe,
    scratch: &Scratch,
    compiler: &Compiler<'_>,
) -> Result<(Vec<PathBuf>, Arc<Vec<u8>>), CompileError> {
    let units: Vec<OnceLock<Result<PathBuf, CompileError>>> = recipe.sources.iter().map(|_| OnceLock::new()).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let has_pointers = recipe.entry.as_ref().is_some_and(|entry| entry.outside.is_some());
    let work = || {
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(index) else { break };
            let pointers = if has_pointers { recipe.sources[index].pointers() } else { String::new() };
            let result = compile_unit(recipe, index, &pointers, scratch, compiler);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            unit.get_or_init(|| result);
        }
    };
    let runtime = || compiler.runtime(recipe);
    let runtime = thread::scope(|scope| {
        // Threads that the system does not give us are missed by nobody: all of this can be done here.
        let beside = thread::Builder::new().spawn_scoped(scope, runtime);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for _ in 1..cores.min(units.len()) {
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
        match beside {
            Ok(beside) => beside.join().expect("compiling the runtime should not panic"),
            Err(_) => runtime(),
        }
    });
    let objects: Result<Vec<PathBuf>, CompileError> = units.into_iter().filter_map(OnceLock::into_inner).collect();
    Ok((objects?, runtime?))
}

fn compile_unit(
    recipe: &Recipe,
    index: usize,
    pointers: &str,
    scratch: &Scratch,
    compiler: &Compiler<'_>,
) -> Result<PathBuf, CompileError> {
    let source = &recipe.sources[index];
    let entry = recipe.entry.as_ref().filter(|entry| entry.source == index && entry.outside.is_none());
    let driver = entry.map_or_else(String::new, driver);
    let mut flags = source.flags.as_ref().unwrap_or(&recipe.flags).clone();
    flags.extend(recipe.unoptimized.then(|| "-O0".to_string()));
    let object = scratch.path().join(format!("{index}.o"));
    // Units in which something is put are for one build.
    if source.text.is_some() || !driver.is_empty() {
        compile_text(source, &flags, &driver, index, &object, compiler)?;
        return Ok(object);
    }
    if let Some(known) = compiler.shared(&source.path, &flags, pointers) {
        hand_over(&object, &known).map_err(files("the build directory"))?;
        return Ok(object);
    }
    let whole = |pointers| compile_text(source, &flags, pointers, index, &object, compiler);
    match whole(pointers) {
        // Something that is not seen at the end of the unit. Whoever needs it is told by the linker.
        Err(CompileError::Refused { .. }) if !pointers.is_empty() => whole("")?,
        compiled => compiled?,
    }
    compiler.share(&source.path, &flags, pointers, &object);
    Ok(object)
}

/// Compiles a unit with something behind its text.
fn compile_text(
    source: &Source,
    flags: &[String],
    behind: &str,
    index: usize,
    object: &Path,
    compiler: &Compiler<'_>,
) -> Result<(), CompileError> {
    let what = source.path.display().to_string();
    let mut args = building_flags(flags);
    if source.text.is_some() || !behind.is_empty() {
        let text = match &source.text {
            Some(text) => text.clone(),
            None => fs::read(&source.path).map_err(files(&format!("{what} cannot be read")))?,
        };
        let changed = compiler.temporary.join(format!("{index}.c"));
        hand_over(&changed, &with_runtime(&source.path, &text, behind)).map_err(files("the build directory"))?;
        args.push("-iquote".into());
        let folder = source.path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        args.push(not_a_flag(folder));
        args.extend(["-x".into(), "c".into(), changed.into()]);
    } else {
        args.push(not_a_flag(&source.path));
    }
    // Warnings are for the user's own build; here they could only get in the way through -Werror.
    args.extend(["-w".into(), "-c".into(), "-o".into(), object.into()]);
    compiler.call(&what, args)
}

/// The text to compile in place of a unit: declarations of what probes call, the unit under its own name and with its
/// own line numbers, and the driver of the entry or what a driver elsewhere needs.
fn with_runtime(path: &Path, text: &[u8], driver: &str) -> Vec<u8> {
    let mut all = concat!(
        "__extension__ typedef unsigned __int128 plumb_u128; ",
        "extern void plumb_row(unsigned, unsigned, const unsigned long long *); ",
        "extern void plumb_count(unsigned); ",
        "extern void plumb_assume(int); ",
        "extern unsigned long long plumb_bits(double);\n",
    )
    .to_string()
    .into_bytes();
    let name: String = path
        .display()
        .to_string()
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            c => vec![c],
        })
        .collect();
    all.extend(format!("# 1 \"{name}\"\n").bytes());
    all.extend(text);
    all.extend(b"\n# 1 \"plumb-driver\"\n");
    all.extend(driver.bytes());
    all
}

fn driver(entry: &Entry) -> String {
    let set = |global: &String| format!("plumb_set((void *)&{global}, sizeof {global}, &plumb_at);\n");
    driving(entry, &entry.name, entry.globals.iter().map(set))
}

/// A driver in a file of its own. It knows the entry and the globals by pointers or by the linker's names, and of
/// their types what a call depends on.
fn driver_outside(unit: &Source, entry: &Entry, outside: &Outside) -> String {
    let mut text = String::from("# 1 \"plumb-driver\"\n__extension__ typedef unsigned __int128 plumb_u128;\n");
    for name in &unit.statics {
        let _ = writeln!(text, "extern void *const {};", unit.pointer(name));
    }
    let params = if outside.params.is_empty() { "void".to_string() } else { outside.params.join(", ") };
    let called = if unit.statics.contains(&entry.name) {
        format!("(({} (*)({params})){})", outside.result, unit.pointer(&entry.name))
    } else {
        let _ = writeln!(text, "extern {} plumb_called({params}) __asm__(\"{}\");", outside.result, entry.name);
        "plumb_called".to_string()
    };
    let mut sets = Vec::new();
    for ((i, global), size) in entry.globals.iter().enumerate().zip(&outside.sizes) {
        let address = if unit.statics.contains(global) {
            unit.pointer(global)
        } else {
            let _ = writeln!(text, "extern char plumb_global_{i}[] __asm__(\"{global}\");");
            format!("plumb_global_{i}")
        };
        sets.push(format!("plumb_set({address}, {size}ul, &plumb_at);\n"));
    }
    text += &driving(entry, &called, sets.into_iter());
    text
}

/// The function that calls the entry under a name, after globals were set.
fn driving(entry: &Entry, name: &str, globals: impl Iterator<Item = String>) -> String {
    let mut text =
        String::from("extern plumb_u128 plumb_param_int(unsigned); extern double plumb_param_float(unsigned);\n");
    text += "extern void plumb_returned_int(plumb_u128); extern void plumb_returned_float(double);\n";
    text += "extern void plumb_returned_nothing(void);\n";
    let mut args = String::new();
    if let Some(arguments) = &entry.arguments {
        text += include_str!("objects.c");
        // Arguments are evaluated in any order, so each gets a variable of its own first.
        text += "void plumb_entry(void); void plumb_entry(void) { unsigned plumb_at = 0; (void)plumb_at;\n";
        for (i, argument) in arguments.iter().enumerate() {
            let _ = writeln!(text, "__auto_type plumb_argument_{i} = {argument};");
            let comma = if i == 0 { "" } else { ", " };
            let _ = write!(args, "{comma}plumb_argument_{i}");
        }
        text.extend(globals);
        let _ = writeln!(text, "{} }}", calling(entry, &format!("{name}({args})")));
        return text;
    }
    for (i, ty) in entry.params.iter().enumerate() {
        let reader = if ty.is_int() { "plumb_param_int" } else { "plumb_param_float" };
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(args, "{comma}(__extension__ ({}){reader}({i}u))", ty.c_name());
    }
    let call = calling(entry, &format!("{name}({args})"));
    let _ = writeln!(text, "void plumb_entry(void); void plumb_entry(void) {{ {call} }}");
    text
}

/// The call of the entry, which reports its result.
fn calling(entry: &Entry, call: &str) -> String {
    match entry.result {
        None => format!("(void){call}; plumb_returned_nothing();"),
        Some(ValueType::Int(_)) => format!("plumb_returned_int((plumb_u128){call});"),
        Some(ValueType::Float(_)) => format!("plumb_returned_float((double){call});"),
    }
}

/// The user's flags without those that ask for another output than the program we build.
fn building_flags(flags: &[String]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            "-c" | "-S" | "-E" | "-fsyntax-only" => {}
            "-o" | "-MF" | "-MT" | "-MQ" => {
                flags.next();
            }
            other if other.starts_with("-o") || other.starts_with("-M") => {}
            _ => kept.push(OsString::from(flag)),
        }
    }
    kept
}

/// The flags that decide what machine code is made; the runtime must be compiled with the same.
fn machine_flags(flags: &[String]) -> Vec<OsString> {
    let decides = |f: &&String| {
        f.starts_with("-m")
            || f.starts_with("-fsanitize")
            || matches!(
                f.as_str(),
                "-fPIC" | "-fpic" | "-fPIE" | "-fpie" | "-fno-pie" | "-fno-PIE" | "-no-pie" | "-static"
            )
    };
    flags.iter().filter(decides).map(OsString::from).collect()
}

/// Address space of each process of the compiler, and the largest file it may write: a few lines of C can ask for any
/// amount of either.
const COMPILER_MEMORY: u64 = 8 << 30;
const COMPILED_SIZE: u64 = 256 << 20;

const SANITIZE: [&str; 4] =
    ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g"];

/// Bytes of object files that are kept for later builds of the same process.
const KEPT_UNITS: usize = 128 << 20;

/// The compiler's words, the unit's flags, its path, what is added to it, and when it was changed last.
type KeptKey = (Vec<String>, Vec<String>, PathBuf, String, std::time::SystemTime);

fn kept_units() -> MutexGuard<'static, BTreeMap<KeptKey, Arc<Vec<u8>>>> {
    static KEPT: Mutex<BTreeMap<KeptKey, Arc<Vec<u8>>>> = Mutex::new(BTreeMap::new());
    KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

struct Compiler<'a> {
    words: Vec<String>,
    view: View,
    temporary: &'a Path,
    time: Duration,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Compiler<'a> {
    fn of(recipe: &Recipe, temporary: &'a Path, cancel: Option<&'a AtomicBool>) -> Compiler<'a> {
        let command = recipe.compiler.clone().or_else(|| std::env::var("CC").ok()).unwrap_or_default();
        let mut words: Vec<String> = command.split_whitespace().map(String::from).collect();
        if words.is_empty() {
            words.push("cc".to_string());
        }
        if recipe.sanitize {
            words.extend(SANITIZE.map(String::from));
        }
        let mut view = View::new(Policy::Compiler);
        for source in &recipe.sources {
            view.show_source(&source.path);
            view.show_flags(source.flags.as_deref().unwrap_or_default());
        }
        view.show_flags(&recipe.flags);
        view.show_flags(&words[1..]);
        view.own = Own::Folder(temporary.to_path_buf());
        Compiler { words, view, temporary, time: recipe.time, cancel }
    }

    fn call(&self, what: &str, args: Vec<OsString>) -> Result<(), CompileError> {
        let no_compiler = |error| CompileError::NoCompiler { command: self.words[0].clone(), error };
        let mut start = Start::new(Policy::Compiler, OsStr::new(&self.words[0])).map_err(no_compiler)?;
        start.name = Some(self.words[0].clone().into());
        start.arguments = self.words[1..].iter().map(OsString::from).chain(args).collect();
        start.environment = environment::for_compiler();
        start.environment.push(("TMPDIR".into(), self.temporary.into()));
        start.folder = std::env::current_dir().ok();
        start.view = self.view.clone();
        start.limits = Limits {
            cpu_seconds: Some(self.time.as_secs().saturating_add(2)),
            address_space: Some(COMPILER_MEMORY),
            file_size: COMPILED_SIZE,
            ..Limits::default()
        };
        let job = Job {
            start,
            stdin: &[],
            time: self.time,
            output: 1 << 20,
            processes: Some(64),
            memory: None,
            cancel: self.cancel,
        };
        let finished = sandbox::run(job).map_err(no_compiler)?;
        let what = what.to_string();
        match finished.stop {
            Stop::Exited(0) => Ok(()),
            Stop::Cancelled => Err(CompileError::Cancelled),
            Stop::Time | Stop::Signalled(libc::SIGXCPU) => Err(CompileError::TimedOut { what }),
            Stop::Signalled(signal) => {
                Err(CompileError::Refused { what, messages: format!("it was ended by signal {signal}") })
            }
            Stop::Exited(_) | Stop::Output | Stop::Processes | Stop::Memory => {
                let messages = String::from_utf8_lossy(&finished.stderr).into_owned();
                Err(CompileError::Refused { what, messages })
            }
        }
    }

    /// The object file of a unit that many entries share, from an earlier build of this process.
    fn shared(&self, path: &Path, flags: &[String], driver: &str) -> Option<Arc<Vec<u8>>> {
        kept_units().get(&self.kept_key(path, flags, driver)?).cloned()
    }

    fn share(&self, path: &Path, flags: &[String], driver: &str, object: &Path) {
        let Some(key) = self.kept_key(path, flags, driver) else { return };
        let Ok(bytes) = take_back(object, COMPILED_SIZE) else { return };
        let mut kept = kept_units();
        let held: usize = kept.values().map(|object| object.len()).sum();
        if held + bytes.len() <= KEPT_UNITS {
            kept.insert(key, Arc::new(bytes));
        }
    }

    fn kept_key(&self, path: &Path, flags: &[String], driver: &str) -> Option<KeptKey> {
        let changed = fs::metadata(path).and_then(|there| there.modified()).ok()?;
        Some((self.words.clone(), flags.to_vec(), path.to_path_buf(), driver.to_string(), changed))
    }

    /// The runtime's object file, compiled once per process and set of flags.
    fn runtime(&self, recipe: &Recipe) -> Result<Arc<Vec<u8>>, CompileError> {
        static COMPILED: Mutex<BTreeMap<Vec<OsString>, Arc<Vec<u8>>>> = Mutex::new(BTreeMap::new());
        let mut args = machine_flags(&recipe.flags);
        if recipe.entry.is_some() {
            args.push("-DPLUMB_ENTRY".into());
        }
        let key: Vec<OsString> = self.words.iter().map(OsString::from).chain(args.iter().cloned()).collect();
        let known = || COMPILED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(object) = known().get(&key) {
            return Ok(object.clone());
        }
        let files = |error| CompileError::Files { what: "the build directory".to_string(), error };
        let (source, object) = (self.temporary.join("plumb-runtime.c"), self.temporary.join("plumb-runtime.o"));
        hand_over(&source, include_bytes!("runtime.c")).map_err(files)?;
        args.extend(["-std=gnu11", "-O1", "-w", "-c"].map(OsString::from));
        args.extend([source.into(), "-o".into(), object.clone().into()]);
        self.call("the runtime of native runs", args)?;
        let bytes = Arc::new(take_back(&object, COMPILED_SIZE).map_err(files)?);
        known().insert(key, bytes.clone());
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_for_other_outputs_are_left_out() {
        let flags = ["-O2", "-c", "-o", "out", "-oout", "-MMD", "-MF", "deps", "-DX=1", "-lm"].map(String::from);
        assert_eq!(building_flags(&flags), ["-O2", "-DX=1", "-lm"]);
        assert_eq!(machine_flags(&["-m32", "-O2", "-fPIC"].map(String::from)), ["-m32", "-fPIC"]);
    }
}
