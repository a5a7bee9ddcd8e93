//! The flags of `plumb contract`.

use super::Compile;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Contract {
    /// The C files of one program
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Only this function; may be given again [default: every function of the files]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Vec<String>,

    /// What callers respect: 'f: n <= 64' of one function, 'n >= 0' of all that have the parameter
    #[arg(long, value_name = "[FUNCTION:] EXPR", allow_hyphen_values = true)]
    pub assume: Vec<String>,

    /// List all clauses, not only the most telling ones
    #[arg(long)]
    pub all: bool,

    /// Prove nothing: what was observed is all there is, and soon there
    #[arg(long)]
    pub no_prove: bool,

    /// Write the contracts instead of listing them
    #[arg(long, value_enum, value_name = "WHAT")]
    pub emit: Option<ContractEmit>,

    #[command(flatten)]
    pub compile: Compile,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ContractEmit {
    /// The file with ACSL annotations before its functions
    Acsl,
    /// Documentation in Markdown
    Md,
    /// Declarations of the functions with their annotations, for a header
    Header,
}
