//! The flags of `plumb reach`.

use super::{Compile, Parts, World};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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

    #[command(flatten)]
    pub world: World,

    /// Assume that pointer inputs do not overlap each other or globals; verdicts name this assumption
    #[arg(long)]
    pub assume_separate: bool,

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

    #[command(flatten)]
    pub parts: Parts,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
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
