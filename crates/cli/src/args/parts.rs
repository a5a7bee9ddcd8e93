//! Work in parts: several programs in one run, one run on several machines.

use clap::Args;
use diagnostics::Shard;

/// For verbs whose items are whole programs.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Many programs")]
pub struct Parts {
    /// Take each FILE for a program of its own, with --time for each
    #[arg(long)]
    pub each: bool,

    /// Do the K-th of N parts: of the files with --each, else of the domain of a symmetry; `plumb merge` joins the
    /// documents of all parts
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
}
