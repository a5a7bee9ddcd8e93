//! The flags of `plumb check-up`.

use super::Sources;
use clap::Args;

#[derive(Args, Debug)]
pub struct CheckUp {
    #[command(flatten)]
    pub sources: Sources,

    /// Start with this function; by default with `mainQ` or `main`, and where there is neither, with every function
    /// that others may call. May be given several times
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Vec<String>,

    /// Compiler flags
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
}
