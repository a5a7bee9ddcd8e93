//! The flags of `plumb report`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "The pages go to the folder of -o, which is made if it is not there.")]
pub struct Documents {
    /// What other commands wrote with --format json
    #[arg(value_name = "FILE.json", required = true)]
    pub files: Vec<PathBuf>,
}
