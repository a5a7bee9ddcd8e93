//! The flags of `plumb check`.

use super::Sources;
use clap::Args;

#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub sources: Sources,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}
