//! The flags of `plumb check-up`.

use super::Compile;
use clap::{Args, ValueEnum};
use diagnostics::Shard;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct CheckUp {
    /// C files of one program or library, a folder, or `-` for C text on standard input; without any, the folder one
    /// stands in
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// A compile_commands.json, or the folder of a build that has one
    #[arg(short = 'p', long = "build", value_name = "DIR")]
    pub database: Option<PathBuf>,

    #[command(flatten)]
    pub compile: Compile,

    /// Start with this function; by default with `mainQ` or `main`, and where there is neither, with every function
    /// that others may call. May be given several times
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Vec<String>,

    /// Leave functions or files alone; `*` stands for anything. May be given several times
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,

    /// Ask only about functions that a change since this revision of git can affect
    #[arg(long, value_name = "REV")]
    pub changed: Option<String>,

    /// Ask about the K-th of N parts of the functions; `plumb merge` joins the documents of all parts
    #[arg(long, value_name = "K/N", conflicts_with_all = ["emit", "changed"])]
    pub shard: Option<Shard>,

    /// What makes the exit status 1 [default: finding]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,

    /// Exit with status 3 if questions stay open
    #[arg(long)]
    pub strict: bool,

    /// Count only what is not in the JSON document of an earlier check-up
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write a C test for everything that was found, with a Makefile, to a folder
    #[arg(long, num_args = 2, value_names = ["tests", "DIR"])]
    pub emit: Vec<String>,

    /// Where answers of earlier runs are kept; the folder may be deleted at any time [default: .plumb for a folder or a
    /// build, none for files]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Ask everything anew and keep nothing
    #[arg(long)]
    pub no_cache: bool,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}

/// What a build server should stop for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Debug)]
pub enum FailOn {
    /// Something is wrong
    Finding,
    /// Something is wrong, or a function goes wrong with arguments that its callers may give
    Precondition,
    /// As before, or a question stays open
    Unknown,
}
