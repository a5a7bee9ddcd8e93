//! The flags of `plumb repair`.

use super::{Compile, Parts};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Repair {
    /// The C files of one program
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// The tests: a column for each input and `expected`, or `args`, `stdin`, `stdout`, `exit` for whole programs
    #[arg(long, value_name = "FILE", required_unless_present = "inputs", conflicts_with = "inputs")]
    pub tests: Option<PathBuf>,

    /// The inputs of the tests, one test a line
    #[arg(long, value_name = "FILE", requires = "outputs")]
    pub inputs: Option<PathBuf>,

    /// What is expected, one test a line
    #[arg(long, value_name = "FILE", requires = "inputs")]
    pub outputs: Option<PathBuf>,

    /// The function that is tested; by default the one whose parameters are the columns, else `mainQ` or `main`
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// Only rank the lines by how suspicious they are
    #[arg(long)]
    pub localize_only: bool,

    /// How suspicion is computed
    #[arg(long, value_enum, default_value_t = Suspicion::Tarantula)]
    pub metric: Suspicion,

    /// Lines that are looked at, at most
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,

    /// The least score of a line that is looked at
    #[arg(long, value_name = "SCORE", default_value_t = 0.2)]
    pub min_score: f64,

    /// Who finds the numbers of a template
    #[arg(long, value_enum, default_value_t = NumberSolver::Portfolio)]
    pub solver: NumberSolver,

    /// Edits in one repair, at most; two are tried when one is not enough
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub edits: u8,

    /// Show up to N patches, with inputs on which they differ
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub all: u16,

    /// Ask `prove` whether each patch is equal to the function of the same name in this file
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,

    /// Print a program instead of repairing: `reachability`, whose label L the parameters that pass the tests reach
    #[arg(long, value_enum, value_name = "WHAT", requires = "at")]
    pub emit: Option<RepairEmit>,

    /// The line whose expression the template of --emit replaces
    #[arg(long, value_name = "LINE", requires = "emit")]
    pub at: Option<u32>,

    /// The template of --emit
    #[arg(long, value_enum, default_value_t = EmitTemplate::Linear, requires = "emit")]
    pub template: EmitTemplate,

    /// Write the first patch into the file; the file as it was stays beside it with `.orig` at its name
    #[arg(long)]
    pub apply: bool,

    #[command(flatten)]
    pub compile: Compile,

    #[command(flatten)]
    pub parts: Parts,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Suspicion {
    Tarantula,
    Ochiai,
    Dstar,
    Op2,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum RepairEmit {
    /// The reachability program of a line and a template, as C
    Reachability,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum EmitTemplate {
    /// c0 + c1*v1 + ... over the variables in scope
    Linear,
    /// Every constant of the line
    Constant,
    /// The operators that its first operator can become
    Operator,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum NumberSolver {
    /// The symbolic executor, as for `plumb reach`; of whole programs, runs
    Reach,
    /// Runs of the changed program
    Enumerate,
    /// Runs, then the symbolic executor
    Portfolio,
}
