//! The command line: every verb, every flag, and the text that `--help` shows.

mod repair;
mod report;
mod represent;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

pub use repair::{EmitTemplate, NumberSolver, Repair, RepairEmit, Suspicion};
pub use report::Documents;
pub use represent::Represent;

const EXAMPLES: &str = "\
Examples:
  plumb infer prog.c                         which relations hold at its loops and exits
  plumb infer rows.csv --forms octagon       the same of a file of traces
  plumb infer aes.c --entry subWord          what a function does to the arrays it takes
  plumb prove prog.c                         prove its assertions, or break them with an input
  plumb prove prog.c --at vtrace1 --invariant 'x == q*y + r'
  plumb reach prog.c --rules tree.rules --path 'T([F T; ..])'   inputs that take this path
  plumb symmetry mid.c --permute i,j,k --domain i,j,k=-50..50
                                             does the order of its inputs matter
  plumb conform --producer w.c --consumer r.c  does the reader accept all that the writer can write
  plumb repair prog.c --tests tests.csv      the small edit that makes the tests pass
  plumb represent norm.c --data sample.json --client 'view=./view {}'
                                             does a client depend on how its data is written down
  plumb check prog.c                         read and type-check a file
  plumb check a.c b.c -- -Iinclude -DDEBUG   several files, with the flags they are built with
  plumb run prog.c -- one two                run in the VM, which reports undefined behaviour
  plumb run prog.c --engine native -- one    run the compiled program in a sandbox
  plumb run f.c --entry gcd -- 12 18         call one function
  plumb dump prog.c --stage ir               show the program model
  plumb report a.json b.json -o site         pages of earlier runs, with an index
  plumb explain signed-overflow              what a rule means

Exit status: 0 nothing wrong, 1 something found, 2 bad invocation or unreadable input,
3 inconclusive, 101 a bug in plumb, 130 interrupted.";

/// Tells whether a C program is true without a specification.
#[derive(Parser, Debug)]
#[command(name = "plumb", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Say which relations hold among the variables of a program, or of a file of traces
    Infer(Box<Infer>),
    /// Prove what a program asserts on all runs, or find an input that breaks it
    Prove(Box<Prove>),
    /// Find inputs that drive a function along a path, over abstract data types given by rules
    Reach(Box<Reach>),
    /// Check that permuted inputs give permuted outputs, over all inputs of a domain
    Symmetry(Box<Symmetry>),
    /// Say whether one program accepts every message that another can write
    Conform(Box<Conform>),
    /// Find small edits that make a failing program pass its tests
    Repair(Box<Repair>),
    /// Make equivalent representations of a sample, and find the programs that treat them differently
    Represent(Box<Represent>),
    /// Read, type-check and lower C files, and say what is in them
    Check(Check),
    /// Run a program and report what it does wrong
    Run(Run),
    /// Print the program as one of its inner forms
    Dump(Dump),
    /// Join JSON documents of earlier runs into a site of pages, with an index
    Report(Documents),
    /// Explain a rule; without a name, list all rules
    Explain(Explain),
}

/// Options that every verb takes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Common options")]
pub struct Shared {
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    pub format: Format,

    /// Write the result to FILE (through a temporary file, so it is whole or not there)
    #[arg(short = 'o', long, value_name = "FILE", global = true)]
    pub out: Option<PathBuf>,

    /// Give up after this many seconds and say what is known by then
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds, global = true)]
    pub time: f64,

    /// Threads to use; results do not depend on it [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), global = true)]
    pub jobs: Option<u16>,

    /// Seed of everything that is random
    #[arg(long, value_name = "N", default_value_t = 1, global = true)]
    pub seed: u64,

    /// Say less: no closing line
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Say more: how long it took
    #[arg(short, long, global = true)]
    pub verbose: bool,

    /// Colour in text output; NO_COLOR in the environment turns it off too
    #[arg(long, value_enum, default_value_t = When::Auto, global = true)]
    pub color: When,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for editors and code hosts
    Sarif,
    /// One self-contained page
    Html,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// The C files and how they are compiled.
#[derive(Args, Debug)]
pub struct Sources {
    /// The C files of one program
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub compile: Compile,
}

/// How C files are compiled.
#[derive(Args, Debug)]
pub struct Compile {
    /// Compiler flags, as one shell-quoted string: --cflags '-Iinclude -DN=3'
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Vec<String>,

    /// Add an include folder, as `cc -I`
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,

    /// Define a macro, as `cc -D`
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Keep calls of this function-like macro instead of expanding it
    #[arg(long, value_name = "MACRO")]
    pub keep_macro: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub sources: Sources,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Infer {
    /// The C files of one program, or files of traces (.csv, .jsonl, .tcs, .decls, .dtrace)
    #[arg(value_name = "FILE", required_unless_present = "traces")]
    pub files: Vec<PathBuf>,

    /// A file of traces, with its format (dig, csv, daikon, json) if it cannot be told: --traces rows.txt:csv
    #[arg(long, value_name = "FILE[:FORMAT]")]
    pub traces: Vec<String>,

    /// Skip rows of traces that are not of the format, and count them
    #[arg(long)]
    pub skip_bad_rows: bool,

    /// The function to start with; by default `mainQ` if there is one, else `main`
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// Look at this place as well: before the statement on a line, or after a label
    #[arg(long, value_name = "FILE:LINE|LABEL")]
    pub at: Vec<String>,

    /// Only these variables
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub vars: Vec<String>,

    /// Degree of equations [default: the largest whose terms number at most 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub degree: Option<u32>,

    /// Degree of the terms of intervals, zones and octagons
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub bound_degree: Option<u32>,

    /// A term to look at besides the variables: 't = 2^x', 'r/y', 'mod(r, 256)'
    #[arg(long, value_name = "TERM")]
    pub term: Vec<String>,

    /// What to look for: equality, interval, zone, octagon, polyhedron, max-plus, min-plus, congruence, disjunction,
    /// flat and nested (of arrays), all
    #[arg(long, value_name = "FORMS", value_delimiter = ',')]
    pub forms: Vec<String>,

    /// Functions that array relations may go through: add, sub, mult, xor, and, or, not, mod, div, and functions of
    /// the program, which may take arrays [default: the nine that are named here]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub functions: Vec<String>,

    /// How often an array may occur in a nesting such as A[B[C[i]]]
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub repeats: u8,

    /// The length of an array that a function takes, where it does not declare one: 'a=16', or 'a=n' for a parameter n
    #[arg(long, value_name = "NAME=LENGTH")]
    pub extent: Vec<String>,

    /// A shape of polyhedra: 'c1*x^2 + c2*y^2 + c3*z^2'
    #[arg(long, value_name = "TERM")]
    pub shape: Vec<String>,

    /// Variables in a relation with min or max
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=3))]
    pub min_max_variables: u8,

    /// Values that an input may have: 'x=0..300' or 'x=1,2,5'; of an array, its elements: 'a=0..255'
    #[arg(long, value_name = "NAME=VALUES")]
    pub input: Vec<String>,

    /// Run these inputs instead of generated ones: one a line, values separated by spaces
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,

    /// What runs the program
    #[arg(long, value_enum, default_value_t = Engine::Vm)]
    pub engine: Engine,

    /// Do not count rounds of loops
    #[arg(long)]
    pub no_ghosts: bool,

    /// Only report what runs show; do not try to prove it or to find inputs that refute it
    #[arg(long)]
    pub no_prove: bool,

    /// Write the relations back instead of listing them
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<Emit>,

    #[command(flatten)]
    pub compile: Compile,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Emit {
    /// The C file with annotations for Frama-C
    Acsl,
    /// The C file with assertions
    CAssert,
    /// An SV-COMP correctness witness, format 2.0
    Witness,
}

#[derive(Args, Debug)]
pub struct Prove {
    /// The C files of one program
    #[arg(value_name = "FILE", required_unless_present = "check")]
    pub files: Vec<PathBuf>,

    /// The function to start with; by default `mainQ` if there is one, else `main`
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    #[command(flatten)]
    pub asked: Asked,

    /// Candidates for invariants: what `plumb infer --format json` or an earlier proof wrote
    #[arg(long, value_name = "FILE")]
    pub using: Option<PathBuf>,

    /// The most steps of induction
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub max_k: u8,

    /// What integers are
    #[arg(long, value_enum, default_value_t = IntModel::Math)]
    pub ints: IntModel,

    /// Prove too that there is no signed overflow, no division by zero and no access outside an array
    #[arg(long)]
    pub overflow: bool,

    /// Find out how many steps of induction each claim would take alone, without lemmas
    #[arg(long)]
    pub plain_k: bool,

    /// Values that an input may have in the runs that candidates come from: 'x=0..300' or 'x=1,2,5'
    #[arg(long, value_name = "NAME=VALUES")]
    pub input: Vec<String>,

    /// Candidates come from runs of these inputs: one a line, values separated by spaces
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,

    /// Write what the proofs rest on to FILE
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Check a certificate with fresh solvers, and do nothing else; it names the C files if none are given
    #[arg(long, value_name = "FILE", conflicts_with_all = ["at", "invariant", "using", "certificate", "emit", "plain_k"])]
    pub check: Option<PathBuf>,

    /// Write a witness instead of listing what was proved
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<ProofEmit>,

    #[command(flatten)]
    pub compile: Compile,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ProofEmit {
    /// An SV-COMP witness, format 2.0: of correctness if all is proved, of violation if something is refuted
    Witness,
}

#[derive(Args, Debug)]
pub struct Conform {
    /// The C files of the program that writes
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "producer_spec")]
    pub producer: Vec<PathBuf>,

    /// The C files of the program that reads; the same as those of the producer if it plays both roles
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "consumer_spec")]
    pub consumer: Vec<PathBuf>,

    /// A format specification in place of the producer
    #[arg(long, value_name = "FILE")]
    pub producer_spec: Option<PathBuf>,

    /// A format specification in place of the consumer
    #[arg(long, value_name = "FILE")]
    pub consumer_spec: Option<PathBuf>,

    /// Compare two nested-word automata in OpenNWA's text format instead of programs
    #[arg(long, value_names = ["PRODUCER", "CONSUMER"], num_args = 2,
          conflicts_with_all = ["producer", "consumer", "producer_spec", "consumer_spec", "io", "list_io"])]
    pub automata: Vec<PathBuf>,

    /// Which functions and macros read and write, what they move, and what counts as failure (TOML)
    #[arg(long, value_name = "FILE")]
    pub io: Option<PathBuf>,

    /// Print every call that is considered, as a table that can be edited and given back with --io-sites
    #[arg(long)]
    pub list_io: bool,

    /// Take the calls that read and write from this table, and no others
    #[arg(long, value_name = "FILE")]
    pub io_sites: Option<PathBuf>,

    /// Make constants that are written and compared part of the message types
    #[arg(long)]
    pub values: bool,

    /// Mark the rounds of the loops of both sides, to keep packets in step
    #[arg(long)]
    pub separator: bool,

    /// How programs are modelled
    #[arg(long, value_enum, default_value_t = Automaton::Pushdown)]
    pub model: Automaton,

    /// Accept messages whatever the calls of the two sides; the default
    #[arg(long, conflicts_with = "no_enrich")]
    pub enrich: bool,

    /// Compare calls and returns too: both sides should call in the same way
    #[arg(long)]
    pub no_enrich: bool,

    /// How fine messages are told apart [default: bytes]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub granularity: Option<Granularity>,

    /// Run both programs to show a counterexample
    #[arg(long)]
    pub confirm: bool,

    /// Write the inferred automata instead of the answer
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<AutomatonEmit>,

    #[command(flatten)]
    pub compile: Compile,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Automaton {
    /// Finite automata: a function may return to any of its callers
    Finite,
    /// The producer as a pushdown automaton, the consumer with its callees copied into their callers
    Pushdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Granularity {
    /// Every type is only itself
    Types,
    /// Integers are rows of bytes
    Bytes,
    /// Bytes are rows of bits
    Bits,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum AutomatonEmit {
    /// Graphviz
    Dot,
}

/// Invariants that the user asks about. Each belongs to the place named last before it, which is why the order of the
/// two flags is kept; without a place it is asked of all loops that have its variables.
#[derive(Debug, Default)]
pub struct Asked(pub Vec<(Option<String>, String)>);

impl Asked {
    fn flag(name: &'static str, value: &'static str, help: &'static str) -> clap::Arg {
        clap::Arg::new(name).long(name).value_name(value).help(help).action(clap::ArgAction::Append)
    }
}

impl Args for Asked {
    fn augment_args(command: clap::Command) -> clap::Command {
        let at = "The place of the invariants that follow: before the statement on a line, after a label, or a location \
                  as `plumb infer` names it (vtrace1, 'loop at line 12')";
        let invariant = "An invariant to prove: 'x == q*y + r'; without --at, at every loop that has its variables";
        let invariant = Asked::flag("invariant", "EXPR", invariant).allow_hyphen_values(true);
        command.arg(Asked::flag("at", "FILE:LINE|LABEL|LOCATION", at).requires("invariant")).arg(invariant)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Asked::augment_args(command)
    }
}

impl clap::FromArgMatches for Asked {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Asked, clap::Error> {
        let given = |name: &str| -> Vec<(usize, String)> {
            let values = matches.get_many::<String>(name).into_iter().flatten().cloned();
            matches.indices_of(name).into_iter().flatten().zip(values).collect()
        };
        let places = given("at");
        let invariants = given("invariant").into_iter();
        let place = |index: usize| places.iter().rev().find(|(at, _)| *at < index).map(|(_, place)| place.clone());
        Ok(Asked(invariants.map(|(index, text)| (place(index), text)).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Asked::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ReachEmit {
    /// The program with holes, and the one test, that stand for the question
    Synthesis,
    /// A C file that replays each test
    CDriver,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum SearchStrategy {
    /// The newest first
    Depth,
    /// The oldest first
    Breadth,
    /// Where the program was seen least
    Coverage,
    /// The nearest to a target
    Distance,
    /// Each of them in turn
    Portfolio,
}

#[derive(Args, Debug)]
pub struct Reach {
    /// The C files of one program
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// The function to start with; by default `mainQ`, `main`, or the only one there is
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// What to reach: a LABEL, FILE:LINE, a LINE, `assert` (a broken assertion) or `error` (anything that goes wrong)
    #[arg(long, value_name = "TARGET", conflicts_with_all = ["path", "path_file", "all_branches"])]
    pub target: Vec<String>,

    /// Find a test suite that takes every branch; -o DIR writes it there, as tests.csv
    #[arg(long, conflicts_with_all = ["path", "path_file"])]
    pub all_branches: bool,

    /// Print besides, or write to DIR: the synthesis instance of a target, or a C program that replays the tests
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<ReachEmit>,

    /// Which path is followed next
    #[arg(long, value_enum, default_value_t = SearchStrategy::Portfolio)]
    pub strategy: SearchStrategy,

    /// Undecided rounds of a loop that are followed
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub max_loop: u32,

    /// Elements of an array behind a pointer that is an input
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub array_length: u32,

    /// Characters of a string that is an input
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=4096))]
    pub string_length: u32,

    /// Arguments of a program whose `main` takes them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub arguments: u32,

    /// Bytes of standard input
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub stdin_length: u32,

    /// Follow both sides of a branch also where they meet again at once
    #[arg(long)]
    pub no_merge: bool,

    /// The path to take: T and F for an if, [p1; p2; ..] for a loop, [#3] for three iterations of any kind
    #[arg(long, value_name = "PATH", conflicts_with = "path_file")]
    pub path: Option<String>,

    /// The path from a file
    #[arg(long, value_name = "FILE")]
    pub path_file: Option<PathBuf>,

    /// What the operations of the program do: a file of rules, or a .trs file of TPDB
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,

    /// Show what a path can choose in the function (in every function without --entry), and do nothing else
    #[arg(long, conflicts_with_all = ["path", "path_file"])]
    pub list_paths: bool,

    /// All solutions, not only the first
    #[arg(long)]
    pub all: bool,

    /// At most this many solutions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max: Option<u32>,

    /// Narrowing steps of one derivation, or undecided branches of one path, at most; --time bounds the search too
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Give free variables their smallest values
    #[arg(long)]
    pub ground: bool,

    #[command(flatten)]
    pub compile: Compile,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Symmetry {
    /// The C files of one program
    #[arg(value_name = "FILE", required_unless_present = "exec")]
    pub files: Vec<PathBuf>,

    /// The function to check; by default the only one the files define
    #[arg(long, visible_alias = "function", value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// The parameters whose values are permuted, or one array whose elements are
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required_unless_present = "discover")]
    pub permute: Vec<String>,

    /// How long arrays are: '4', or a parameter and its values, 'n=0..5'; 'B=8' for the array B alone
    #[arg(long, value_name = "LENGTH")]
    pub length: Vec<String>,

    /// How outputs follow: same, permuted (outputs with as many positions as inputs are permuted alike), or
    /// 'A=permuted' for the output A alone [default: same]
    #[arg(long, value_name = "HOW", value_delimiter = ',', conflicts_with_all = ["tau", "sigma"])]
    pub output: Vec<String>,

    /// What the exchange of the first two inputs, (1 2), does to the output positions, in cycle notation
    #[arg(long, value_name = "PERMUTATION")]
    pub tau: Option<String>,

    /// What the rotation of all inputs, (1 2 .. k), does to the output positions
    #[arg(long, value_name = "PERMUTATION")]
    pub sigma: Option<String>,

    /// The outputs to look at: 'return', names of arrays or records that are filled [default: what is returned or filled]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub observe: Vec<String>,

    /// The values of a parameter, or of an array's elements: 'i=-50..50', 'i,j=1,2,5', 'x=0..1:0.25', "c='a'..'z'"
    #[arg(long, value_name = "NAMES=VALUES", allow_hyphen_values = true)]
    pub domain: Vec<String>,

    /// Only tuples of which some arrangement satisfies this C expression
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub assume: Vec<String>,

    /// Try so many random tuples instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["boundary", "pairwise"])]
    pub random: Option<u64>,

    /// Try the values at the ends of the domains and around zero
    #[arg(long, conflicts_with = "pairwise")]
    pub boundary: bool,

    /// Try few tuples that contain every pair of values
    #[arg(long)]
    pub pairwise: bool,

    /// When outputs are equal: exact, multiset, tolerance=EPSILON
    #[arg(long, value_name = "MODE", default_value = "exact")]
    pub compare: String,

    /// One call for each tuple, or the source's three
    #[arg(long, value_enum, default_value_t = Procedure::Orbits)]
    pub method: Procedure,

    /// Compile with the address and undefined-behaviour sanitizers
    #[arg(long)]
    pub sanitize: bool,

    /// End arrays of characters with a zero
    #[arg(long)]
    pub terminated: bool,

    /// A call that takes longer does not return
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    pub call_time: f64,

    /// Ask this program instead of C files: a JSON array of arguments a line, answered by a JSON value a line
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["files", "entry", "sanitize", "mutants", "terminated"])]
    pub exec: Option<String>,

    /// The order of the arguments for --exec [default: that of --domain]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "exec")]
    pub args: Vec<String>,

    /// Find the symmetries of the function, and check them
    #[arg(long, conflicts_with_all = ["permute", "output", "tau", "sigma", "mutants", "observe"])]
    pub discover: bool,

    /// Say how many small faults in the function the relation would show
    #[arg(long)]
    pub mutants: bool,

    #[command(flatten)]
    pub compile: Compile,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Procedure {
    /// Every arrangement is compared with one representative of its orbit
    Orbits,
    /// Each tuple is compared with what the two generators of the group make of it
    Generators,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Engine {
    /// Our virtual machine: slower, and sees every undefined behaviour it has a rule for
    Vm,
    /// The compiled program in a sandboxed child process
    Native,
}

#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    pub sources: Sources,

    /// What runs the program
    #[arg(long, value_enum, default_value_t = Engine::Vm)]
    pub engine: Engine,

    /// The function to start with; by default `mainQ` if there is one, else `main`
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// Standard input of the program from a file; by default it is empty when plumb's own is a terminal
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,

    /// Answers to `__VERIFIER_nondet_*` calls in the order they are made, separated by commas
    #[arg(long, value_name = "VALUES", value_delimiter = ',', allow_hyphen_values = true)]
    pub nondet: Vec<String>,

    /// Stop after this many steps of the VM
    #[arg(long, value_name = "N", default_value_t = 2_000_000_000)]
    pub steps: u64,

    /// Memory the program may hold, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub memory: u64,

    /// Depth of calls the VM allows
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub depth: u32,

    /// Say which statements and branches the run covered (VM only)
    #[arg(long)]
    pub coverage: bool,

    /// Write the rows recorded at trace points (`vtrace1(x, y)`) to FILE, as semicolon-separated values
    #[arg(long, value_name = "FILE")]
    pub traces: Option<PathBuf>,

    /// Arguments of the program, or the values of the entry function's parameters
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Stage {
    /// The syntax tree
    Ast,
    /// The typed program model
    Ir,
    /// The control-flow graphs
    Cfg,
    /// The transition system that proofs work on
    Smt,
}

/// What the integers of a program are to proofs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntModel {
    /// Unbounded, assuming that no signed operation overflows
    Math,
    /// Bit-vectors
    Machine,
}

#[derive(Args, Debug)]
pub struct Dump {
    #[command(flatten)]
    pub sources: Sources,

    /// Which form
    #[arg(long, value_enum, default_value_t = Stage::Ir)]
    pub stage: Stage,

    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// What integers are (for --stage smt)
    #[arg(long, value_enum, default_value_t = IntModel::Math)]
    pub ints: IntModel,

    /// Graphs in GraphViz form (for --stage cfg)
    #[arg(long)]
    pub dot: bool,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Explain {
    /// The rule's name, as findings show it in brackets
    #[arg(value_name = "RULE")]
    pub rule: Option<String>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("a positive number of seconds is needed".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn an_invariant_belongs_to_the_place_before_it() {
        let words = ["plumb", "prove", "a.c", "--invariant", "p", "--at", "L", "--invariant", "q", "--invariant", "r"];
        let Command::Prove(prove) = Cli::try_parse_from(words).expect("the words should be read").command else {
            panic!("`prove` should be read as itself");
        };
        let place = Some("L".to_string());
        assert_eq!(prove.asked.0, [(None, "p".into()), (place.clone(), "q".into()), (place, "r".into())]);
    }

    #[test]
    fn every_flag_is_documented() {
        fn check(command: &clap::Command) {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} of {} should have help", arg.get_id(), command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }
}
