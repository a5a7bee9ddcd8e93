//! The flags of `plumb run`.

use super::{Engine, Sources};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    pub sources: Sources,

    /// What runs the program
    #[arg(long, value_enum, default_value_t = Engine::Vm)]
    pub engine: Engine,

    /// Which operands and arguments are evaluated first where C leaves that open (VM only); `random` goes by `--seed`,
    /// `all` tries several orders and says whether they differ
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = EvaluationOrder::Left)]
    pub order: EvaluationOrder,

    /// The function to start with; by default `mainQ` if there is one, else `main`
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// Standard input of the program from a file; by default it is empty when plumb's own is a terminal
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,

    /// Let the program use a folder of the host, and what is in it; `PATH:ro` lets it read only (VM only)
    #[arg(long, value_name = "PATH[:ro]")]
    pub dir: Vec<PathBuf>,

    /// A variable of the program's environment, which is empty otherwise (VM only)
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,

    /// Go on after a finding, with the result that code compiled without optimisation would most likely have; each
    /// finding is told once (VM only)
    #[arg(long)]
    pub keep_going: bool,

    /// Do not tell findings that a line `RULE FUNCTION FILE` of this file speaks of, and go on after them; `*` stands for
    /// any characters (VM only)
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<PathBuf>,

    /// Write the lines that suppress what was found to FILE (`-` for standard output)
    #[arg(long, value_name = "FILE")]
    pub gen_suppressions: Option<PathBuf>,

    /// Say at the end what was not given back: heap objects that no pointer leads to any more, or all of them, with the calls
    /// that made them, and files that were not closed (VM only)
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "lost")]
    pub leaks: Option<Leaks>,

    /// Which rules count: those of the standard; without what GCC defines (left shifts of signed values); or without
    /// what the ABI of x86-64 defines too (unaligned accesses, pointers as numbers; VM only)
    #[arg(long, value_enum, default_value_t = Rules::Iso)]
    pub rules: Rules,

    /// Exit with N instead of 1 when something is found
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub error_exitcode: u8,

    /// Run a program with threads in so many schedules, from the one of `--seed` on, until something is found (VM only)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub schedules: u64,

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
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub depth: u32,

    /// Stack that calls and their variables in memory may take together, in MiB; more is a finding (VM only)
    #[arg(long, value_name = "MIB", default_value_t = 8)]
    pub stack: u64,

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

/// Which of the heap objects that were not freed are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Leaks {
    Lost,
    All,
}

/// By whose definitions a program is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Rules {
    Iso,
    Gnu,
    Abi,
}

/// Which of two operands comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EvaluationOrder {
    Left,
    Right,
    Random,
    All,
}
