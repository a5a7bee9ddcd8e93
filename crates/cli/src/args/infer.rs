//! The flags of `plumb infer`.

use super::{Compile, Engine, FloatModel, Parts, World};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Infer {
    /// The C files of one program, or files of traces (.csv, .jsonl, .tcs, .decls, .dtrace)
    #[arg(value_name = "FILE", required_unless_present = "traces")]
    pub files: Vec<PathBuf>,

    /// A file of traces, with its format (dig, csv, daikon, json) if it cannot be told: --traces rows.txt:csv
    #[arg(long, value_name = "FILE[:FORMAT]", allow_hyphen_values = true)]
    pub traces: Vec<String>,

    /// Follow one file of traces as it grows, or `-` for standard input: say what holds as rows come, and which row breaks it;
    /// until Ctrl-C, or for --time if it is given
    #[arg(long)]
    pub follow: bool,

    /// Skip rows of traces that are not of the format, and count them
    #[arg(long)]
    pub skip_bad_rows: bool,

    /// The function to start with; by default `mainQ` if there is one, else `main`, else every function of the files
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// What floating values are in proofs
    #[arg(long, value_enum, default_value_t = FloatModel::Exact)]
    pub floats: FloatModel,

    #[command(flatten)]
    pub world: World,

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

    /// List all relations of a location, not only the ten that say most
    #[arg(long)]
    pub all: bool,

    /// Write the relations back instead of listing them
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<Emit>,

    #[command(flatten)]
    pub compile: Compile,

    #[command(flatten)]
    pub parts: Parts,

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
