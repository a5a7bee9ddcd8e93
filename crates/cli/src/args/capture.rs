//! The flags of `plumb capture`.

use clap::Args;

#[derive(Args, Debug)]
pub struct Capture {
    /// The command of the build
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}
