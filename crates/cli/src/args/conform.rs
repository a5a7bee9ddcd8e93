//! The flags of `plumb conform`.

use super::Compile;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
