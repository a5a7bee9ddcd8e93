//! Work in parts: independent questions in one run, one run on several machines.

use clap::{Args, ValueEnum};
use diagnostics::Shard;

/// For verbs whose work is a list of independent items.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Many questions")]
pub struct Parts {
    /// Ask about each item by itself, with --time for each: take every FILE for a program of its own, or ask about
    /// every claim, place or client of one program alone
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "file")]
    pub each: Option<Each>,

    /// Do the K-th of N parts: of the items with --each, else of the domain of a symmetry; `plumb merge` joins the
    /// documents of all parts
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,

    /// The one item of the program that is asked about.
    #[arg(skip)]
    pub item: Option<usize>,
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Each {
    /// A program: each FILE
    File,
    /// A claim of the text (prove); what other claims say is taken for granted there, since a run ends where one fails
    Claim,
    /// A --target, or a side of a branch with --all-branches (reach)
    Place,
    /// A --client (represent)
    Client,
}
