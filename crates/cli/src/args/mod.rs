//! The command line: every verb, every flag, and the text that `--help` shows.

mod capture;
mod check;
mod check_up;
mod completions;
mod conform;
mod contract;
mod dump;
mod explain;
mod infer;
mod merge;
mod parts;
mod prove;
mod reach;
mod repair;
mod report;
mod represent;
mod run;
mod submit;
mod symmetry;

use clap::{Args, Parser, Subcommand, ValueEnum};
use diagnostics::Shard;
use std::path::PathBuf;

pub use capture::Capture;
pub use check::Check;
pub use check_up::{CheckUp, FailOn};
pub use completions::{Completions, Man};
pub use conform::{Automaton, Conform, Granularity};
pub use contract::{Contract, ContractEmit};
pub use dump::{Dump, Stage};
pub use explain::Explain;
pub use infer::{Emit, Infer};
pub use merge::Merge;
pub use parts::{Each, Parts};
pub use prove::Prove;
pub use reach::{Reach, ReachEmit, SearchStrategy};
pub use repair::{EmitTemplate, NumberSolver, Repair, RepairEmit, Suspicion};
pub use report::Documents;
pub use represent::Represent;
pub use run::{EvaluationOrder, Leaks, Rules, Run};
pub use submit::{Scheduler, Status, Submit};
pub use symmetry::{Procedure, Symmetry};

const EXAMPLES: &str = "\
Examples:
  plumb check-up                             what is wrong in this folder, with the inputs that show it
  plumb check-up -p build                    the same of a build with a compile_commands.json
  plumb capture -- make                      write one
  plumb infer prog.c                         which relations hold at its loops and exits
  plumb infer rows.csv --forms octagon       the same of a file of traces
  plumb infer aes.c --entry subWord          what a function does to the arrays it takes
  plumb prove prog.c                         prove its assertions, or break them with an input
  plumb prove prog.c --at vtrace1 --invariant 'x == q*y + r'
  plumb contract lib.c                       what every function needs, changes and promises
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
  plumb prove --each tasks/*.c --shard 1/8   the first of eight parts of many programs
  plumb submit --to slurm --shards 8 --folder /shared/run1 --start -- check-up -p build
  plumb explain signed-overflow              what a rule means
  plumb check - < prog.c                     a file may be standard input
  plumb demo                                 the commands at work on examples that plumb brings along
  plumb doctor                               what this host has and enforces

Exit status: 0 nothing wrong, 1 something found, 2 bad invocation or unreadable input,
3 inconclusive, 4 nothing to prove, 101 a bug in plumb, 130 interrupted.";

/// What `plumb` says when it is asked nothing.
pub const WELCOME: &str = "\
plumb tells whether a C program is right without a specification.

  plumb demo                  watch it work, on examples it brings along
  plumb check-up FILE.c       ask everything that can be asked of a file you know nothing about
  plumb infer FILE.c          which relations hold among its variables?
  plumb prove FILE.c          do its assertions hold on every run, or which input breaks them?
  plumb run FILE.c -- ARGS    what goes wrong in this run?
  plumb doctor                is everything here that plumb needs?

`plumb --help` lists all commands, `plumb COMMAND --help` says what one takes.
";

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
    /// Say what is wrong with a project one knows nothing about, with the inputs that show it, within --time
    CheckUp(Box<CheckUp>),
    /// Run a build and write down what it compiles and links, for check-up
    Capture(Capture),
    /// Say which relations hold among the variables of a program, or of a file of traces
    Infer(Box<Infer>),
    /// Say what every function needs, changes and promises, and prove it
    Contract(Box<Contract>),
    /// Prove what a program asserts on all runs, or find an input that breaks it
    Prove(Box<Prove>),
    /// Find inputs that come to a place, take every branch, or drive a function along a path
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
    Run(Box<Run>),
    /// Print the program as one of its inner forms
    Dump(Dump),
    /// Cut a run into shards for Slurm, Kubernetes or this machine, and start them
    Submit(Submit),
    /// Say which shards of a submitted run are done
    Status(Status),
    /// Join the documents of all shards of a run into the document of the whole
    Merge(Merge),
    /// Join JSON documents of earlier runs into a site of pages, with an index
    Report(Documents),
    /// Explain a rule; without a name, list all rules
    Explain(Explain),
    /// Show the commands at work on examples that plumb brings along; -o DIR keeps them, with a page to look at
    Demo,
    /// Print the JSON Schema of what --format json writes
    Schema,
    /// Answer an editor on standard input and output, by the Language Server Protocol
    Lsp,
    /// Say what this host has and enforces: compiler, solver, the walls of the sandbox
    Doctor,
    /// Print what makes a shell complete the words of plumb's command line
    Completions(Completions),
    /// Print the manual page, or write those of all commands to a folder
    Man(Man),
}

impl Command {
    /// The C files that a command reads and how they are compiled, if it reads one program.
    pub fn program(&mut self) -> Option<(&mut Vec<PathBuf>, &mut Compile)> {
        match self {
            Command::CheckUp(args) => Some((&mut args.files, &mut args.compile)),
            // Rows that are followed are no program.
            Command::Infer(args) if args.follow => None,
            Command::Infer(args) => Some((&mut args.files, &mut args.compile)),
            Command::Contract(args) => Some((&mut args.files, &mut args.compile)),
            Command::Prove(args) => Some((&mut args.files, &mut args.compile)),
            Command::Reach(args) => Some((&mut args.files, &mut args.compile)),
            Command::Symmetry(args) => Some((&mut args.files, &mut args.compile)),
            Command::Repair(args) => Some((&mut args.files, &mut args.compile)),
            Command::Represent(args) => Some((&mut args.files, &mut args.compile)),
            Command::Check(args) => Some((&mut args.sources.files, &mut args.sources.compile)),
            Command::Run(args) => Some((&mut args.sources.files, &mut args.sources.compile)),
            Command::Dump(args) => Some((&mut args.sources.files, &mut args.sources.compile)),
            Command::Capture(_)
            | Command::Conform(_)
            | Command::Submit(_)
            | Command::Status(_)
            | Command::Merge(_)
            | Command::Report(_)
            | Command::Explain(_)
            | Command::Demo
            | Command::Schema
            | Command::Lsp
            | Command::Doctor
            | Command::Completions(_)
            | Command::Man(_) => None,
        }
    }
}

impl Command {
    /// The files that the verb reads besides the program.
    pub fn given_files(&self) -> Vec<PathBuf> {
        let given: Vec<&Option<PathBuf>> = match self {
            Command::Infer(args) => vec![&args.inputs],
            Command::Prove(args) => vec![&args.inputs, &args.using],
            Command::Reach(args) => vec![&args.path_file, &args.rules],
            Command::Repair(args) => vec![&args.tests, &args.inputs, &args.outputs, &args.spec],
            Command::Represent(args) => vec![&args.data],
            _ => Vec::new(),
        };
        given.into_iter().flatten().cloned().collect()
    }

    /// The part of the work that is asked for.
    pub fn shard(&mut self) -> Option<Shard> {
        match self {
            Command::CheckUp(args) => args.shard,
            other => other.parts().and_then(|parts| parts.shard),
        }
    }

    /// How the verb's work is cut, if it is a list of items.
    pub fn parts(&mut self) -> Option<&mut Parts> {
        match self {
            Command::Infer(args) => Some(&mut args.parts),
            Command::Prove(args) => Some(&mut args.parts),
            Command::Reach(args) => Some(&mut args.parts),
            Command::Repair(args) => Some(&mut args.parts),
            Command::Represent(args) => Some(&mut args.parts),
            Command::Symmetry(args) => Some(&mut args.parts),
            _ => None,
        }
    }
}

/// Options that every verb takes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Common options")]
pub struct Shared {
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    pub format: Format,

    /// Write the result to FILE (through a temporary file, so it is whole or not there)
    #[arg(short = 'o', long, value_name = "FILE", global = true)]
    pub out: Option<PathBuf>,

    /// Give up after this many seconds and say what is known by then
    ///
    /// [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, global = true)]
    pub time: Option<f64>,

    /// Threads to use; results do not depend on it [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), global = true)]
    pub jobs: Option<u16>,

    /// Seed of everything that is random
    #[arg(long, value_name = "N", default_value_t = 1, global = true)]
    pub seed: u64,

    /// Say less: no progress, no closing line
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Say more: how long it took
    #[arg(short, long, global = true)]
    pub verbose: bool,

    /// Let control characters of the program's output reach the terminal as they are
    #[arg(long, global = true)]
    pub raw: bool,

    /// Refuse to run where this host cannot enforce the whole sandbox; `plumb doctor` says what it can
    #[arg(long, global = true)]
    pub require_sandbox: bool,

    /// Believe the solver that something is impossible only if a second one, with another seed, says so too; what rests
    /// on many questions takes longer
    #[arg(long, global = true)]
    pub second_opinion: bool,

    /// Colour in text output; NO_COLOR in the environment turns it off too
    #[arg(long, value_enum, default_value_t = When::Auto, global = true)]
    pub color: When,
}

impl Shared {
    /// The seconds there are.
    pub fn seconds(&self) -> f64 {
        self.time.unwrap_or(60.0)
    }
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
    /// JUnit XML, for build servers
    Junit,
    /// A summary in Markdown, for pull requests
    Markdown,
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
    /// The C files of one program; `-` is standard input
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

    /// Allow a compiler flag that loads code, writes files or reads arguments from a file
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub allow_compiler_flag: Vec<String>,

    /// Keep calls of this function-like macro instead of expanding it
    #[arg(long, value_name = "MACRO")]
    pub keep_macro: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum FloatModel {
    /// IEEE 754, as the machine computes
    Exact,
    /// Real numbers, without rounding: what holds then is called `proved over the reals`
    Real,
}

/// What is known of the world when the entry is called.
#[derive(Args, Clone, Copy, Debug)]
pub struct World {
    /// What globals hold when an entry other than `main` or `mainQ` is called
    #[arg(long, value_enum, default_value_t = GlobalValues::Any)]
    pub globals: GlobalValues,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum GlobalValues {
    /// Anything their types allow
    Any,
    /// Their initial values; verdicts name this assumption
    Initial,
}

impl FloatModel {
    pub fn floats(self) -> ::prove::Floats {
        match self {
            FloatModel::Exact => ::prove::Floats::Exact,
            FloatModel::Real => ::prove::Floats::Real,
        }
    }
}

impl World {
    pub fn globals(self) -> ir::Globals {
        match self.globals {
            GlobalValues::Any => ir::Globals::Any,
            GlobalValues::Initial => ir::Globals::Initial,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Engine {
    /// Our virtual machine: slower, and sees every undefined behaviour it has a rule for
    Vm,
    /// The compiled program in a sandboxed child process
    Native,
}

/// What the integers of a program are to proofs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntModel {
    /// Unbounded, assuming that no signed operation overflows
    Math,
    /// Bit-vectors
    Machine,
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
